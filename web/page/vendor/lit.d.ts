// The names of lit that the page uses, and no more: see README.md in this folder.

export type TemplateResult = { readonly strings: TemplateStringsArray; readonly values: unknown[] };

export declare const nothing: unique symbol;
export declare function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export declare function svg(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export declare function render(value: unknown, container: HTMLElement | DocumentFragment): unknown;

export type PropertyDeclaration = {
  attribute?: boolean | string;
  type?: unknown;
  reflect?: boolean;
  state?: boolean;
};

export declare class LitElement extends HTMLElement {
  static properties: Record<string, PropertyDeclaration>;
  readonly hasUpdated: boolean;
  readonly renderOptions: {renderBefore?: ChildNode | null};
  readonly updateComplete: Promise<boolean>;
  connectedCallback(): void;
  disconnectedCallback(): void;
  requestUpdate(name?: PropertyKey, oldValue?: unknown): void;
  protected createRenderRoot(): HTMLElement | DocumentFragment;
  protected willUpdate(changed: Map<PropertyKey, unknown>): void;
  protected updated(changed: Map<PropertyKey, unknown>): void;
  protected firstUpdated(changed: Map<PropertyKey, unknown>): void;
  protected render(): unknown;
}

export declare function repeat<T>(
  items: Iterable<T>,
  key: (item: T, index: number) => unknown,
  template: (item: T, index: number) => unknown,
): unknown;
export declare function classMap(classes: Record<string, boolean>): unknown;
export declare function live(value: unknown): unknown;
export type Ref<T = Element> = { readonly value?: T };
export declare function createRef<T = Element>(): Ref<T>;
export declare function ref(target: Ref | ((element: Element | undefined) => void)): unknown;
