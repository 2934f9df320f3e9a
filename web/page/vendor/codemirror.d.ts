// The names of CodeMirror that the page uses, and no more: see README.md in this folder.

export type Extension = unknown;
export type Command = (view: EditorView) => boolean;
export type Line = { readonly from: number; readonly to: number; readonly number: number; readonly text: string };
export type Text = {
  readonly length: number;
  readonly lines: number;
  line(number: number): Line;
  lineAt(position: number): Line;
  toString(): string;
};
export type ChangeSpec = { from: number; to?: number; insert?: string };
export type TransactionSpec = {
  changes?: ChangeSpec;
  selection?: { anchor: number; head?: number };
  effects?: unknown;
  scrollIntoView?: boolean;
};
export type Transaction = { readonly state: EditorState };
export type ViewUpdate = { readonly docChanged: boolean; readonly state: EditorState; readonly view: EditorView };

export declare class EditorState {
  static create(config: { doc?: string; extensions?: Extension }): EditorState;
  static readonly tabSize: { of(size: number): Extension };
  readonly doc: Text;
}

export declare class Compartment {
  of(extension: Extension): Extension;
  reconfigure(extension: Extension): unknown;
}

export declare class EditorView {
  constructor(config: { state: EditorState; parent: Element });
  static readonly cspNonce: { of(nonce: string): Extension };
  static readonly contentAttributes: { of(attributes: Record<string, string>): Extension };
  static readonly updateListener: { of(listener: (update: ViewUpdate) => void): Extension };
  static domEventHandlers(handlers: Record<string, (event: Event, view: EditorView) => boolean | void>): Extension;
  readonly state: EditorState;
  readonly dom: HTMLElement;
  dispatch(...specs: TransactionSpec[]): void;
  dispatch(transaction: Transaction): void;
  focus(): void;
  destroy(): void;
  setTabFocusMode(on?: boolean | number): void;
}

export declare class GutterMarker {
  toDOM(): Node;
}
export declare function gutter(config: {
  class?: string;
  side?: 'before' | 'after';
  lineMarker?: (view: EditorView, line: { readonly from: number }) => GutterMarker | null;
}): Extension;

export type KeyBinding = { key: string; run?: Command; shift?: Command };
export declare const keymap: { of(bindings: readonly KeyBinding[]): Extension };
export declare const defaultKeymap: readonly KeyBinding[];
export declare const historyKeymap: readonly KeyBinding[];
export declare const indentWithTab: KeyBinding;
export declare const indentUnit: { of(unit: string): Extension };
export declare const pythonLanguage: Extension;
export declare const tags: Record<string, unknown> & { function(tag: unknown): unknown; definition(tag: unknown): unknown };
export declare class HighlightStyle {
  static define(specs: readonly { tag: unknown; class: string }[]): HighlightStyle;
}

export declare function lineNumbers(): Extension;
export declare function highlightActiveLine(): Extension;
export declare function highlightActiveLineGutter(): Extension;
export declare function history(): Extension;
export declare function bracketMatching(): Extension;
export declare function indentOnInput(): Extension;
export declare function syntaxHighlighting(style: HighlightStyle): Extension;

export type Diagnostic = { from: number; to: number; severity: 'error' | 'warning'; message: string };
export declare function lintGutter(): Extension;
export declare function setDiagnostics(state: EditorState, diagnostics: readonly Diagnostic[]): TransactionSpec;
