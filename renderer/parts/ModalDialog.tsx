import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { keepLaterFocus } from "./laterFocus.ts";

type ModalDialogProps = {
  readonly title: string;
  readonly description?: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly testId?: string;
  readonly children: ReactNode;
};

/**
 * A dialog over the window. The backdrop is our own: Radix's writes a style element to lock scrolling, which the policy of
 * the page refuses, and nothing but panes scrolls here.
 */
export function ModalDialog({ title, description, onClose, wide = false, testId, children }: ModalDialogProps) {
  const { t } = useTranslation();
  // Dialogs open by keys and from the menu as well: where the focus was is where it goes back to.
  const [focused] = useState(() => document.activeElement);
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <div className="backdrop" aria-hidden="true" />
        <Dialog.Content
          className={`dialog${wide ? " dialog-wide" : ""}`}
          data-testid={testId}
          onOpenAutoFocus={(event) => {
            // The dialog itself: its title is read out, and no button looks chosen.
            event.preventDefault();
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
          }}
          onCloseAutoFocus={(event) => {
            if (!keepLaterFocus(event)) return;
            event.preventDefault();
            focusAgain(focused);
          }}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
        >
          <header className="dialog-header">
            <Dialog.Title className="dialog-title">{title}</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label={t("common.close")} title={t("common.close")}>
              <X aria-hidden="true" size={16} />
            </Dialog.Close>
          </header>
          {description === undefined ? null : <Dialog.Description className="dialog-description">{description}</Dialog.Description>}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Focuses what had the focus before; the question where that is gone or was nothing in particular. */
function focusAgain(before: Element | null): void {
  const usable = before instanceof HTMLElement && before !== document.body && before.isConnected;
  const target = usable ? before : document.querySelector<HTMLElement>('[data-pane-focus="conversation"]');
  target?.focus();
}
