/** True for the key that selects everything. */
export function selectsAll({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === "a" && (ctrlKey || metaKey) && !shiftKey && !altKey;
}

/** Selects all of the field that has the focus, else the text around it, as the key does. */
export function selectAll(root: Document): void {
  const { activeElement } = root;
  if (activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement) activeElement.select();
  else selectTextAround(root);
}

/** Selects the text around the focus (the document's pages, the answers), not the window with its buttons. */
export function selectTextAround(root: Document): void {
  const text = root.activeElement?.closest("[data-text]");
  if (text !== null && text !== undefined) root.getSelection()?.selectAllChildren(text);
}
