import { Button, NativeSelect, TextInput } from '@mantine/core'
import { figureDimensions } from '@tollgate/contract/records/figures'
import { type FormEvent, useState } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { Popover } from '#web/components/menu/popover.tsx'
import type { FigureCondition, FigureDimension } from '#web/lib/api/contract.ts'
import classes from './explore.module.css'
import { useExploreMessages } from './messages.ts'
import { ValueChoices } from './value-choices.tsx'
import type { ExploreView } from './view.ts'

const conditions = ['is', 'not', 'contains'] as const

const FilterForm = (props: {
  view: ExploreView
  dimensions: readonly FigureDimension[]
  filter: FigureCondition | undefined
  nameOf: (dimension: FigureDimension, key: string) => string
  onApply: (filter: FigureCondition) => void
}) => {
  const say = useExploreMessages()
  const [dimension, setDimension] = useState(props.filter?.dimension ?? props.dimensions[0] ?? 'model')
  const [is, setIs] = useState<FigureCondition['is']>(props.filter?.is ?? 'is')
  const [text, setText] = useState(props.filter?.is === 'contains' ? (props.filter.values[0] ?? '') : '')
  const [chosen, setChosen] = useState<readonly string[]>(
    props.filter === undefined || props.filter.is === 'contains' ? [] : props.filter.values,
  )
  const { kind } = figureDimensions[dimension]
  const part = text.trim()
  const values = is === 'contains' ? (part === '' ? [] : [part]) : [...chosen]
  const usable = conditions.filter((condition) => kind !== 'status' || condition !== 'contains')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (values.length > 0) props.onApply({ dimension, is, values })
  }
  return (
    <form className={classes.filterForm} onSubmit={submit}>
      <NativeSelect
        label={say('dimension')}
        value={dimension}
        onChange={(event) => {
          const next = props.dimensions.find((one) => one === event.currentTarget.value)
          if (next === undefined) return
          setDimension(next)
          setText('')
          setChosen([])
          if (next === 'status') setIs(is === 'contains' ? 'is' : is)
        }}
        data={props.dimensions.map((value) => ({ value, label: say(`dimension_${value}`) }))}
      />
      <NativeSelect
        label={say('condition')}
        value={is}
        onChange={(event) => setIs(usable.find((one) => one === event.currentTarget.value) ?? 'is')}
        data={usable.map((value) => ({ value, label: say(value) }))}
      />
      {is === 'contains' ? (
        <TextInput
          label={say('value')}
          value={text}
          maxLength={255}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : (
        <ValueChoices
          view={props.view}
          dimension={dimension}
          chosen={chosen}
          nameOf={props.nameOf}
          onChange={setChosen}
        />
      )}
      <Button type="submit" variant="filled" disabled={values.length === 0}>
        {say('apply')}
      </Button>
    </form>
  )
}

/** The filters of the question: each is edited where it stands, and one may be added. */
export const Filters = (props: {
  view: ExploreView
  dimensions: readonly FigureDimension[]
  nameOf: (dimension: FigureDimension, key: string) => string
  /** Changes the filter at a place, removes it (undefined), or adds one where there is no place. */
  onChange: (index: number | undefined, filter: FigureCondition | undefined) => void
}) => {
  const say = useExploreMessages()
  const formAt = (index: number | undefined, filter: FigureCondition | undefined) => (close: () => void) => (
    <FilterForm
      view={props.view}
      dimensions={props.dimensions}
      nameOf={props.nameOf}
      filter={filter}
      onApply={(next) => {
        close()
        props.onChange(index, next)
      }}
    />
  )
  return (
    <>
      {props.view.filters.map((filter, index) => {
        const { dimension, is, values } = filter
        const shown = values.map((value) => (is === 'contains' ? value : props.nameOf(dimension, value))).join(', ')
        const name = `${say(`${is}Text`, { dimension: say(`dimension_${dimension}`) })} ${shown}`
        return (
          <span key={`${dimension} ${is} ${values.join()}`} className={classes.filter}>
            <Popover
              p={12}
              button={(buttonProps) => (
                <button type="button" aria-label={say('editFilter', { name })} {...buttonProps}>
                  {say(`${is}Text`, { dimension: say(`dimension_${dimension}`) })} <b className="cut">{shown}</b>
                </button>
              )}
            >
              {formAt(index, filter)}
            </Popover>
            <button
              type="button"
              aria-label={say('removeFilter', { name })}
              onClick={() => props.onChange(index, undefined)}
            >
              <Icon name="close" size={12} />
            </button>
          </span>
        )
      })}
      <Popover
        p={12}
        button={(buttonProps) => (
          <button type="button" className={classes.add} aria-label={say('addFilter')} {...buttonProps}>
            <Icon name="plus" size={14} />
          </button>
        )}
      >
        {formAt(undefined, undefined)}
      </Popover>
    </>
  )
}
