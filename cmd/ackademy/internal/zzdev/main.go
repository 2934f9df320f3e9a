package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"

	"github.com/ackademy/ackademy/cmd/ackademy/internal/workbook"
	"github.com/ackademy/ackademy/web"
)

type book struct{ *workbook.Book }

func (b book) OpenText(_ context.Context, name, text string) (web.Session, error) {
	return workbook.OpenText(name, []byte(text))
}

func main() {
	port, _ := strconv.Atoi(os.Args[1])
	b, err := workbook.Open(os.DirFS("/work/main/lessons"))
	if err != nil {
		panic(err)
	}
	s, err := web.New(web.Options{Workbook: book{b}, DataDir: os.Args[2], Port: port, PageDir: "/work/main/web/page"})
	if err != nil {
		panic(err)
	}
	fmt.Println(s.StartURL())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	_ = s.Serve(ctx)
}
