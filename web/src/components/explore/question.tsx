import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ApiError } from '../../lib/api/api.ts'
import type { ExploreAnswer, ExploreDimension } from '../../lib/api/contract.ts'
import type { SetSearch } from '../../lib/url/search-params.ts'
import { EmptyState, ErrorState } from '../states.tsx'
import { ChartPanel } from './chart-panel.tsx'
import { logLinkOf } from './log-search.ts'
import { type SayExplore, useExploreMessages } from './messages.ts'
import { nameOf } from './names.ts'
import { Sentence } from './sentence.tsx'
import { type ExploreView, withFilter } from './view.ts'

const isText = (dimension: ExploreDimension): boolean => dimension === 'model' || dimension === 'group'

/** Names of values, from the answer if it has them. `shown` is for people, `plain` for the filters of the log. */
export const namesIn = (report: ExploreAnswer | undefined, view: ExploreView, say: SayExplore) => {
  const rows = report?.rows ?? []
  const plain = (dimension: ExploreDimension, key: string): string => {
    if (isText(dimension)) return key
    const among = dimension === view.by ? rows : dimension === view.second ? rows.flatMap((row) => row.rows) : []
    return among.find((row) => row.key === key && !row.rest)?.name ?? ''
  }
  const shown = (dimension: ExploreDimension, key: string): string =>
    nameOf(dimension, { key, name: plain(dimension, key) }, say)
  return { plain, shown }
}

/** Metrics of streamed answers alone. */
const ofStreams: ReadonlySet<ExploreView['metric']> = new Set(['first_p50', 'first_p95', 'first_p99'])

/** The question as a sentence that can be changed, and its answer. */
export const Question = (props: {
  view: ExploreView
  report: ExploreAnswer | undefined
  error: ApiError | null
  onRetry: () => void
  setSearch: SetSearch
  /** Action beside the number of values; none if absent. */
  action?: { readonly text: string; readonly onClick: () => void }
}) => {
  const say = useExploreMessages()
  const navigate = useNavigate()
  const { view, setSearch } = props
  const { report: data, error } = props
  const { plain, shown } = namesIn(data, view, say)
  const isEmpty = data !== undefined && data.total.calls === 0 && !data.total.value
  const lacksStreams = data !== undefined && ofStreams.has(view.metric) && data.total.value === null
  const openLog = (from: number, to: number): void =>
    void navigate(logLinkOf(view, { from, to: to - 1 }, [], plain) as never)
  return (
    <>
      <Sentence view={view} setSearch={setSearch} nameOf={shown} />
      {error && !data ? (
        <div className="panel">
          <ErrorState error={error} onRetry={props.onRetry} />
        </div>
      ) : isEmpty ? (
        <div className="panel">
          <EmptyState
            icon="chart"
            title={say(view.filters.length > 0 ? 'emptyFiltered' : 'empty')}
            action={
              view.filters.length > 0 ? (
                <Button onClick={() => setSearch({ filter: undefined })}>{say('clearFilters')}</Button>
              ) : view.range !== '30d' ? (
                <Button onClick={() => setSearch({ range: '30d', every: undefined })}>{say('longer')}</Button>
              ) : undefined
            }
          />
        </div>
      ) : lacksStreams ? (
        <div className="panel">
          <EmptyState icon="chart" title={say('noStreams')} text={say('noStreamsText')} />
        </div>
      ) : (
        <ChartPanel
          report={data}
          view={view}
          nameOf={plain}
          onBrush={openLog}
          {...(props.action && { action: props.action })}
          onTop={(top) => setSearch({ top })}
          onOnly={(dimension, key) =>
            setSearch({ filter: withFilter(view.filters, undefined, { dimension, is: 'is', values: [key] }) })
          }
        />
      )}
    </>
  )
}
