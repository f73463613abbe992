type ProgressBarProps = {
  readonly label: string;
  /** 0 … 1; null while it is not known how far it is. */
  readonly fraction: number | null;
  /** What is read out and shown beside the label. */
  readonly detail: string;
  readonly testId: string;
};

/** A wait: what is being done, how far it is, how long it still takes. */
export function ProgressBar({ label, fraction, detail, testId }: ProgressBarProps) {
  const percent = fraction === null ? null : Math.floor(fraction * 100);
  return (
    <div
      className="progress"
      role="progressbar"
      data-testid={testId}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={detail === "" ? label : detail}
      {...(percent === null ? {} : { "aria-valuenow": percent })}
    >
      <div className="progress-words">
        <span>{label}</span>
        <span className="progress-detail">{detail}</span>
      </div>
      <div className={`progress-track${percent === null ? " progress-endless" : ""}`}>
        <div className="progress-fill" style={percent === null ? undefined : { transform: `scaleX(${percent / 100})` }} />
      </div>
    </div>
  );
}
