import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

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
