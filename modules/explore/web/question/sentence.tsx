import { SegmentedControl } from '@mantine/core'
import { rollups } from '@tollgate/contract/records/figures'
import { RangeFilter } from '#web/components/display/time/range-filter.tsx'
import type { FigureDimension, FigureMetric } from '#web/lib/api/contract.ts'
import { showsMore } from '#web/lib/shows-more.ts'
import type { SetSearch } from '#web/lib/url/search-params.ts'
import { Drop } from './drop.tsx'
import classes from './explore.module.css'
import { Filters } from './filters.tsx'
import { type SayExplore, useExploreMessages } from './messages.ts'
import {
  choicesFor,
  defaultRange,
  type ExploreForm,
  type ExploreView,
  exploreForms,
  exploreRanges,
  goesWith,
  withFilter,
} from './view.ts'

const metricGroups = {
  groupVolume: ['spend', 'calls', 'tokens'],
  groupTokens: [
    'input_tokens',
    'cached_tokens',
    'cache_write_tokens',
    'output_tokens',
    'reasoning_tokens',
    'cache_share',
    'missed_tokens',
    'cache_saved',
    'cache_lost',
  ],
  groupErrors: ['errors', 'error_share'],
  groupSpeed: ['first_p50', 'first_p95', 'first_p99', 'total_p50', 'total_p95', 'total_p99', 'output_speed'],
  groupMoney: ['cost', 'margin'],
} as const satisfies Record<string, readonly FigureMetric[]>

/** Choice of a menu; disabled with a hint if it does not fit the rest of the question. */
const choiceText = (label: string, fits: boolean, say: SayExplore) =>
  fits ? { label } : { label, disabled: true, hint: say('notBySession') }

const groupNames = ['groupVolume', 'groupTokens', 'groupErrors', 'groupSpeed', 'groupMoney'] as const

const metricChoices = (metrics: readonly FigureMetric[], view: ExploreView, say: SayExplore) =>
  groupNames.flatMap((group) =>
    metricGroups[group]
      .filter((metric) => metrics.includes(metric))
      .map((value, index) => ({
        value,
        ...choiceText(say(`metric_${value}`), goesWith(view, { metric: value }), say),
        ...(index === 0 ? { group: say(group) } : {}),
      })),
  )

/** The question as a sentence; what is compared and the form of the chart stand at the right. */
export const Sentence = (props: {
  view: ExploreView
  setSearch: SetSearch
  nameOf: (dimension: FigureDimension, key: string) => string
}) => {
  const say = useExploreMessages()
  const { view, setSearch } = props
  const { metrics, dimensions } = choicesFor(view)
  const named = (values: readonly FigureDimension[], place: 'by' | 'second') =>
    values.map((value) => ({
      value,
      ...choiceText(say(`dimension_${value}`), goesWith(view, { [place]: value }), say),
    }))
  return (
    <div className={classes.sentence}>
      <div ref={showsMore} className={classes.question}>
        <Drop
          word={say('show')}
          value={view.metric}
          choices={metricChoices(metrics, view, say)}
          onChange={(metric) => setSearch({ metric })}
        />
        <Drop
          word={say('by')}
          value={view.by}
          choices={named(dimensions, 'by')}
          onChange={(by) => setSearch({ by, ...(by === view.second ? { second: undefined } : {}) })}
        />
        <Drop
          word={say('andThen')}
          value={view.second ?? ''}
          choices={[
            { value: '', label: say('noSecond') },
            ...named(
              dimensions.filter((dimension) => dimension !== view.by),
              'second',
            ),
          ]}
          onChange={(second) => setSearch({ second })}
        />
        <Drop
          word={say('every')}
          value={view.every}
          choices={rollups.map((value) => ({ value, label: say(value) }))}
          onChange={(every) => setSearch({ every })}
        />
        <RangeFilter
          value={view.range}
          fallback={defaultRange}
          names={exploreRanges}
          onChange={(range) => setSearch({ range, every: undefined })}
        />
        <Filters
          view={view}
          dimensions={dimensions.filter((filter) => goesWith(view, { filter }))}
          nameOf={props.nameOf}
          onChange={(index, filter) => setSearch({ filter: withFilter(view.filters, index, filter) })}
        />
      </div>
      <div ref={showsMore} className={classes.aside}>
        <Drop
          word={say('versus')}
          value={view.compared ? 'before' : 'none'}
          choices={[
            { value: 'before', label: say('before') },
            { value: 'none', label: say('noCompare') },
          ]}
          onChange={(vs) => setSearch({ vs: vs === 'none' ? vs : undefined })}
        />
        <SegmentedControl
          size="xs"
          aria-label={say('form')}
          value={view.form}
          onChange={(form) => setSearch({ form: form as ExploreForm })}
          data={exploreForms.map((value) => ({ value, label: say(value) }))}
        />
      </div>
    </div>
  )
}
