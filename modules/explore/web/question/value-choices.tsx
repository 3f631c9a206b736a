import { Checkbox, TextInput } from '@mantine/core'
import { callStatuses } from '@tollgate/contract/records/figures'
import { useState } from 'react'
import type { FigureDimension } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { useTimeZone, zoneName } from '#web/lib/time/time-zone.ts'
import classes from './explore.module.css'
import { useExploreMessages } from './messages.ts'
import { nameOf } from './names.ts'
import { partsOf, reportOf } from './report-of.ts'
import { type ExploreView, queryOf } from './view.ts'

const mostValues = 50
/** More values than this get a search box. */
const searchableFrom = 9

interface Choice {
  readonly key: string
  readonly name: string
  /** undefined where it is not among those with the most calls. */
  readonly calls: number | undefined
}

/** The values with the most calls in the time that is looked at, by name, as boxes to tick. */
export const ValueChoices = (props: {
  view: ExploreView
  dimension: FigureDimension
  chosen: readonly string[]
  nameOf: (dimension: FigureDimension, key: string) => string
  onChange: (chosen: readonly string[]) => void
}) => {
  const say = useExploreMessages()
  const zone = useTimeZone()
  const [anchor] = useTimeAnchor()
  const [wanted, setWanted] = useState('')
  const { dimension, view, chosen } = props
  const query = {
    ...queryOf({ ...view, metric: 'calls', by: dimension, second: undefined, filters: [] }, anchor, zoneName(zone)),
    rollup: 'month' as const,
    compare: 'none' as const,
    top: mostValues,
  }
  const { data } = useEndpoint(reportOf(view), partsOf(view, query))
  const rows = (data?.rows ?? []).filter(({ rest }) => !rest)
  const counted: Choice[] = rows.map((row) => ({ key: row.key, name: nameOf(dimension, row, say), calls: row.calls }))
  const keys = new Set(counted.map(({ key }) => key))
  const isStatus = dimension === 'status'
  const further = [...new Set([...(isStatus ? callStatuses : []), ...chosen])].filter((key) => !keys.has(key))
  const choices = [
    ...counted,
    ...further.map((key): Choice => ({ key, name: props.nameOf(dimension, key), calls: isStatus ? 0 : undefined })),
  ]
  const shown = choices.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()))
  const toggle = (key: string): void =>
    props.onChange(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key])
  return (
    <fieldset className={classes.values} aria-busy={data === undefined}>
      <legend>{say('valuesFrom')}</legend>
      {choices.length >= searchableFrom && (
        <TextInput
          size="xs"
          aria-label={say('findValue')}
          placeholder={say('findValue')}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <ul>
        {shown.map((choice) => (
          <li key={choice.key}>
            <Checkbox
              size="xs"
              label={choice.name}
              checked={chosen.includes(choice.key)}
              onChange={() => toggle(choice.key)}
            />
            {choice.calls !== undefined && <span className="num faint">{formatInteger(choice.calls)}</span>}
          </li>
        ))}
        {data !== undefined && shown.length === 0 && <li className="faint">{say('noValue')}</li>}
      </ul>
    </fieldset>
  )
}
