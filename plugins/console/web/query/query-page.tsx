import {useEffect, useState} from 'preact/hooks';
import {secondsOf} from '../base/durations.js';
import {change, type Place} from '../base/location.js';
import {useAnswer, useTicks} from '../base/use-answer.js';
import {Failure, Note} from '../parts/notes.js';
import {PlotFigure} from './figure.js';
import {uniquely} from './names.js';
import {remember} from './past.js';
import {type Drafts, QueryForm} from './query-form.js';
import {ResultTable} from './result-table.js';
import {run} from './run.js';
import {type QuerySettings, settingsOf} from './settings.js';

const HOUR = 3600;

/** Expressions of metrics: as values, and over a range. */
export function QueryPage({place}: {readonly place: Place}) {
  const settings = settingsOf(place.query);
  const {expressions, zone} = settings;
  const asked = JSON.stringify(expressions);
  const [drafts, setDrafts] = useState<Drafts>({texts: expressions.length > 0 ? expressions : [''], revision: 0});
  const [runs, setRuns] = useState(0);
  const ticks = useTicks((secondsOf(settings.refresh) ?? 0) * 1000);
  useEffect(() => {
    const texts = JSON.parse(asked) as readonly string[];
    if (texts.length === 0) return;
    setDrafts(before => {
      const isWritten = JSON.stringify(trimmed(before.texts)) === asked;
      return isWritten ? before : {texts, revision: before.revision + 1};
    });
  }, [asked]);

  const range = secondsOf(settings.range) ?? HOUR;
  const {end, yesterday} = settings;
  const key = expressions.length === 0 ? undefined : JSON.stringify([asked, range, end, yesterday, runs, ticks]);
  const {data, error, isBusy, took} = useAnswer(key, signal => {
    const until = end ?? Math.floor(Date.now() / 1000);
    return run({expressions, range, end: until, yesterday}, signal);
  });

  const start = (): void => {
    const written = trimmed(drafts.texts);
    remember(written);
    setRuns(count => count + 1);
    if (JSON.stringify(written) !== asked) change({expr: written, only: undefined});
  };
  const set = (values: Partial<Record<keyof QuerySettings, string | undefined>>): void => change(values);

  return (
    <>
      <h1>Query</h1>
      <QueryForm
        drafts={drafts}
        settings={settings}
        shownEnd={data?.question.end}
        onDrafts={setDrafts}
        onRun={start}
        onSet={set}
      />
      {settings.complaints.map(complaint => (
        <Note key={complaint}>{complaint}</Note>
      ))}
      <section class="stack wide" aria-label="Answer" aria-busy={isBusy}>
        <div class="progress" />
        {error !== undefined && <Failure what="The query has failed" error={error} />}
        {data?.list.flatMap(({expression, errors}) =>
          errors.map(each => <Failure key={`${expression} ${each.message}`} what={refused(each)} error={each} />),
        )}
        {data === undefined && !isBusy && error === undefined && (
          <Note>
            Write an expression such as <code>service_cpm{"{layer='GENERAL',top_n='5',order='DES'}"}</code> and press
            Enter. Ctrl+Space lists what can stand at the cursor.
          </Note>
        )}
        {data?.list.some(({instant, series}) => instant !== undefined || series.length > 0) && (
          <>
            <PlotFigure
              series={uniquely(data.list.flatMap(({series}) => series))}
              zone={zone}
              from={data.question.end - data.question.range}
              to={data.question.end}
              isStacked={settings.stacked}
              only={settings.only}
              onOnly={only => change({only}, 'replace')}
              onSelect={(from, to) => change({range: `${to - from}s`, end: String(to)})}
            />
            <ResultTable outcomes={data.list} zone={zone} />
          </>
        )}
        {took !== undefined && data !== undefined && (
          <p class="quiet" role="status">
            Answered in {Math.round(took)} ms.
          </p>
        )}
      </section>
    </>
  );
}

const trimmed = (texts: readonly string[]): readonly string[] =>
  texts.map(each => each.trim()).filter(each => each !== '');

function refused({message}: Error): string {
  return /\(line \d+, column \d+\)/.test(message) ? 'The expression is refused' : 'The query has failed';
}
