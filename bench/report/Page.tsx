import type { ReactNode } from "react";
import { day } from "./format.ts";
import type { Group, Origin, Report, Run, Section, Table, Verdict } from "./model.ts";
import { Plot } from "./Plot.tsx";
import { pageStyle } from "./pageStyle.ts";
import { plotFile } from "./plotFiles.ts";
import { plotStyle } from "./plotStyle.ts";

/** The report as one page that needs nothing else. */
export function Page({ report }: { readonly report: Report }): ReactNode {
  const { missed, unmeasured, sections, leftOut } = report;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Longsight: what is measured</title>
        <style>{pageStyle + plotStyle}</style>
      </head>
      <body>
        <main>
          <h1>What is measured</h1>
          <p className="about">
            Written by <code>npm run bench -- report</code> from the raw files in docs/results. Of a bench’s runs on one machine one is
            shown, the newest that aims speak of; aims are judged for the lookahead modules that come with the app.
          </p>
          <h2>Aims that are missed</h2>
          <Missed missed={missed} />
          {unmeasured.length > 0 && (
            <>
              <h2>Aims that no raw file says anything of</h2>
              <ul>
                {unmeasured.map(({ title, aims }) => (
                  <li key={title}>
                    {title}
                    <ul>
                      {aims.map(({ issue, text }) => (
                        <li key={text}>
                          {text} (issue {issue})
                        </li>
                      ))}
                    </ul>
                  </li>
                ))}
              </ul>
            </>
          )}
          {sections.map((section) => (
            <Kind key={section.kind} section={section} />
          ))}
          {leftOut.length > 0 && (
            <>
              <h2>Raw files that are left out</h2>
              <ul>
                {leftOut.map(({ file, reason }) => (
                  <li key={file}>
                    {file}: {reason}
                  </li>
                ))}
              </ul>
            </>
          )}
        </main>
      </body>
    </html>
  );
}

function Missed({ missed }: Pick<Report, "missed">) {
  if (missed.length === 0) return <p>None of those that were measured.</p>;
  return (
    <ul>
      {missed.map(({ subject, verdict: { aim, found }, origin: { machine, file } }) => (
        <li key={`${file} ${aim.text} ${found}`}>
          <strong>{aim.text}</strong> (issue {aim.issue}): {found}.{" "}
          <span className="note">
            {subject}. {machine}, {file}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Kind({ section: { kind, title, about, groups } }: { readonly section: Section }) {
  return (
    <section aria-labelledby={`kind-${kind}`}>
      <h2 id={`kind-${kind}`}>{title}</h2>
      <p className="about">{about}</p>
      {groups.map((group) => (
        <Runs key={group.runs[0]?.origin.series ?? group.subject} group={group} />
      ))}
    </section>
  );
}

function Runs({ group: { subject, runs, others } }: { readonly group: Group }) {
  return (
    <>
      <h3>{subject}</h3>
      <div className="machines">
        {runs.map((run) => (
          <div key={run.origin.file}>
            {runs.length > 1 && <h4>On {run.origin.machine}</h4>}
            <Results run={run} />
          </div>
        ))}
      </div>
      {others.length > 0 && (
        <p className="note">Other runs, not shown: {others.map(({ date, file }) => `${file} (${day(date)})`).join(", ")}</p>
      )}
    </>
  );
}

function Results({ run: { origin, shown } }: { readonly run: Run }) {
  return (
    <>
      <OriginLine origin={origin} />
      {shown.tables.map((table) => (
        <Figures key={table.caption} table={table} />
      ))}
      {shown.plots.map((plot) => (
        <figure key={plot.name}>
          <Plot plot={plot} id={plotFile(origin, plot).replaceAll(/[^A-Za-z0-9]+/g, "-")} />
        </figure>
      ))}
      <Verdicts verdicts={shown.verdicts} />
      {shown.notes.map((note) => (
        <p key={note} className="note">
          {note}
        </p>
      ))}
    </>
  );
}

function OriginLine({ origin: { command, date, commit, machine, file } }: { readonly origin: Origin }) {
  return (
    <p className="origin">
      <code>{command}</code> · {day(date)} · {machine}
      {commit !== null && ` · commit ${commit}`} · {file}
    </p>
  );
}

/** A table can be wider than the screen: it scrolls, with the keyboard too. */
function Figures({ table: { caption, columns, rows } }: { readonly table: Table }) {
  const classOf = (index: number) => (columns[index]?.isNumber === true ? "number" : undefined);
  return (
    <div className="scrolled" role="group" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ text }, index) => (
              <Head key={text} text={text} className={classOf(index)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = "", ...cells]) => (
            <tr key={[name, ...cells].join(" ")}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={columns[index + 1]?.text} className={classOf(index + 1)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A corner that heads nothing is no heading. */
function Head({ text, className }: { readonly text: string; readonly className: string | undefined }) {
  if (text === "") return <td />;
  return (
    <th scope="col" className={className}>
      {text}
    </th>
  );
}

function Verdicts({ verdicts }: { readonly verdicts: readonly Verdict[] }) {
  if (verdicts.length === 0) return null;
  return (
    <ul className="verdicts">
      {verdicts.map(({ aim, found, isMet }) => (
        <li key={`${aim.text} ${found}`}>
          {isMet ? "Met" : <strong>Missed</strong>}: {aim.text} (issue {aim.issue}): {found}
        </li>
      ))}
    </ul>
  );
}
