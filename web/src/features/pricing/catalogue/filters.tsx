import { Checkbox, RangeSlider, Slider } from '@mantine/core'
import { useState } from 'react'
import { Logo } from '../../../components/logo/logo.tsx'
import { printList, readList } from '../../../lib/url/url-state.ts'
import {
  countValues,
  type Filters,
  type PricedModel,
  type PricingFilter,
  type ValueFilter,
  valuesOf,
} from '../catalogue.ts'
import classes from './catalogue.module.css'
import { type SayCatalogue, useCatalogueMessages } from './messages.ts'
import { kindWord, shortTokens } from './words.ts'

interface FilterProps {
  models: readonly PricedModel[]
  filters: Filters
  onFilter: (name: PricingFilter, value: string | undefined) => void
  /** How the price of a step is written. */
  printPrice: (price: number) => string
}

const fewest = 6

type Label = (value: string, say: SayCatalogue) => string

const plain: Label = (value) => value
const labels: Readonly<Record<ValueFilter, Label>> = {
  vendor: plain,
  in: plain,
  endpoint: plain,
  tag: plain,
  type: (value, say) => say(value === 'call' ? 'typeCall' : 'typeUsage'),
  takes: (value, say) => say(value as 'text'),
  can: (value, say) => say(value as 'tools'),
  kind: (value, say) => kindWord(value as 'chat', say),
}
const titles: Readonly<Record<ValueFilter, 'maker' | 'takes' | 'kind' | 'can' | 'endpoint' | 'tag' | 'type' | 'in'>> = {
  vendor: 'maker',
  takes: 'takes',
  kind: 'kind',
  can: 'can',
  endpoint: 'endpoint',
  tag: 'tag',
  type: 'type',
  in: 'in',
}

/** The values of one filter as checkboxes with their counts, the six most frequent first. */
const Values = ({ name, models, filters, onFilter }: FilterProps & { name: ValueFilter }) => {
  const say = useCatalogueMessages()
  const [all, setAll] = useState(false)
  const chosen = readList(filters[name])
  const counted = countValues(models.flatMap(valuesOf[name]))
  if (counted.length < 2 && chosen.length === 0) return null
  const shown = counted.filter(({ value }, place) => all || place < fewest || chosen.includes(value))
  const rest = counted.length - fewest
  const change = (value: string): void => {
    const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]
    onFilter(name, next.length === 0 ? undefined : printList(next))
  }
  return (
    <fieldset className={classes.filter}>
      <legend>{say(titles[name])}</legend>
      {shown.map(({ value, count }) => (
        <Checkbox
          key={value}
          size="xs"
          classNames={{ body: classes.choice ?? '', labelWrapper: classes.choiceLabel ?? '' }}
          checked={chosen.includes(value)}
          onChange={() => change(value)}
          label={
            <>
              {name === 'vendor' && <Logo of={{ maker: value }} name={value} />}
              <span className={classes.choiceName} title={labels[name](value, say)}>
                {labels[name](value, say)}
              </span>
              <em>{count}</em>
            </>
          }
        />
      ))}
      {rest > 0 && (
        <button type="button" className="text-button" onClick={() => setAll(!all)}>
          {all ? say('fewerValues') : say('moreValues', { count: rest })}
        </button>
      )}
    </fieldset>
  )
}

const priceSteps = [0, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50] as const
const contextSteps = [0, 8000, 16_000, 32_000, 64_000, 128_000, 200_000, 400_000, 1_000_000] as const

/** The step that a value of the address stands for, or the nearest one below. */
const stepOf = (steps: readonly number[], text: string | undefined, otherwise: number): number => {
  const place = text === undefined ? -1 : steps.findLastIndex((step) => step <= Number(text))
  return place < 0 ? otherwise : place
}

const PriceRange = ({ filters, onFilter, printPrice }: FilterProps) => {
  const say = useCatalogueMessages()
  const last = priceSteps.length
  const [from, to] = [stepOf(priceSteps, filters.from, 0), stepOf(priceSteps, filters.to, last)]
  const [moved, setMoved] = useState<[number, number]>()
  const [low, high] = moved ?? [from, to]
  const word = (place: number): string =>
    place === last ? `${printPrice(priceSteps[last - 1] ?? 0)}+` : printPrice(priceSteps[place] ?? 0)
  return (
    <fieldset className={classes.filter}>
      <legend>{say('price')}</legend>
      <RangeSlider
        size={2}
        thumbSize={14}
        min={0}
        max={last}
        minRange={1}
        label={null}
        value={[low, high]}
        thumbFromLabel={`${say('price')} ≥`}
        thumbToLabel={`${say('price')} ≤`}
        onChange={setMoved}
        onChangeEnd={([least, most]) => {
          setMoved(undefined)
          onFilter('from', least === 0 ? undefined : String(priceSteps[least]))
          onFilter('to', most === last ? undefined : String(priceSteps[most]))
        }}
      />
      <p className={classes.range}>
        <span>{word(low)}</span>
        <span>{word(high)}</span>
      </p>
    </fieldset>
  )
}

const ContextRange = ({ filters, onFilter }: FilterProps) => {
  const say = useCatalogueMessages()
  const least = stepOf(contextSteps, filters.context, 0)
  const [moved, setMoved] = useState<number>()
  const shown = contextSteps[moved ?? least] ?? 0
  return (
    <fieldset className={classes.filter}>
      <legend>{say('context')}</legend>
      <Slider
        size={2}
        thumbSize={14}
        min={0}
        max={contextSteps.length - 1}
        label={null}
        value={moved ?? least}
        thumbLabel={say('context')}
        onChange={setMoved}
        onChangeEnd={(place) => {
          setMoved(undefined)
          onFilter('context', place === 0 ? undefined : String(contextSteps[place]))
        }}
      />
      <p className={classes.range}>
        <span>{shown === 0 ? say('anyContext') : say('orMore', { value: shortTokens(shown) })}</span>
      </p>
    </fieldset>
  )
}

/** Everything that the catalogue can be narrowed by. */
export const CatalogueFilters = (props: FilterProps) => (
  <div className={classes.filters}>
    <Values {...props} name="vendor" />
    <Values {...props} name="takes" />
    <Values {...props} name="kind" />
    <PriceRange {...props} />
    <ContextRange {...props} />
    <Values {...props} name="can" />
    <Values {...props} name="endpoint" />
    <Values {...props} name="in" />
    <Values {...props} name="type" />
    <Values {...props} name="tag" />
  </div>
)
