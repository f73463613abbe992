import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type"> & {
  readonly kind?: "primary" | "plain" | "quiet" | "danger";
  readonly submit?: boolean;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
};

/** A button with words. `primary` once per group at most. */
export function Button({ kind = "plain", submit = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={submit ? "submit" : "button"}
      className={`button button-${kind}${className === undefined ? "" : ` ${className}`}`}
    >
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "aria-label"> & {
  /** Its name: read out, and shown on hover where `title` says no more. */
  readonly label: string;
  readonly submit?: boolean;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
};

/** A button with a picture alone. */
export function IconButton({ label, title = label, submit = false, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={submit ? "submit" : "button"}
      aria-label={label}
      title={title}
      className={`icon-button${className === undefined ? "" : ` ${className}`}`}
    >
      {children}
    </button>
  );
}
