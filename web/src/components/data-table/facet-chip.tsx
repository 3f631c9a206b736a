import { Autocomplete, Checkbox, Popover, Radio, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { TableState } from '../../lib/table-state.ts'
import { printList, readList } from '../../lib/url-state.ts'
import { Icon } from '../icon.tsx'
import { useUiWords } from '../messages.ts'
import type { Facet, FacetOption } from './column.ts'
import classes from './data-table.module.css'

/** More values than this get a search box. */
const searchableFrom = 9

const Choices = (props: {
  options: readonly FacetOption[]
  chosen: readonly string[]
  single: boolean
  onChange: (values: string[]) => void
}) => {
  const say = useUiWords()
  const [wanted, setWanted] = useState('')
  const shown = props.options.filter((option) => option.label.toLowerCase().includes(wanted.toLowerCase()))
  const toggle = (value: string): void => {
    if (props.single) props.onChange([value])
    else if (props.chosen.includes(value)) props.onChange(props.chosen.filter((entry) => entry !== value))
    else props.onChange([...props.chosen, value])
  }
  const Box = props.single ? Radio : Checkbox
  return (
    <>
      {props.options.length >= searchableFrom && (
        <TextInput
          size="xs"
          mb={8}
          aria-label={say('facetSearch')}
          placeholder={say('facetSearch')}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
          data-autofocus
        />
      )}
      <ul className={classes.choices}>
        {shown.map((option) => (
          <li key={option.value}>
            <Box
              size="xs"
              label={option.label}
              checked={props.chosen.includes(option.value)}
              onChange={() => toggle(option.value)}
            />
            {option.count !== undefined && <span className="num faint">{option.count}</span>}
          </li>
        ))}
        {shown.length === 0 && <li className="faint">{say('facetEmpty')}</li>}
      </ul>
    </>
  )
}

const TextFilter = (props: {
  facet: Extract<Facet, { kind: 'text' }>
  value: string
  onSave: (text: string) => void
}) => {
  const [text, setText] = useState(props.value)
  const save = (event: FormEvent): void => {
    event.preventDefault()
    props.onSave(text.trim())
  }
  return (
    <form onSubmit={save}>
      <Autocomplete
        size="xs"
        aria-label={props.facet.label}
        placeholder={props.facet.placeholder}
        data={[...(props.facet.suggestions ?? [])]}
        comboboxProps={{ withinPortal: false }}
        limit={20}
        value={text}
        onChange={setText}
        onOptionSubmit={(value) => props.onSave(value)}
        data-autofocus
      />
    </form>
  )
}

/** A filter as a chip: dashed until set, then with its values and a one-click removal. */
export const FacetChip = <F extends string>({ facet, state }: { facet: Facet<F>; state: TableState<F> }) => {
  const say = useUiWords()
  const [opened, setOpened] = useState(false)
  const raw = state.filters[facet.id]
  const chosen = readList(raw)
  const labels =
    facet.kind === 'choice'
      ? chosen.map((value) => facet.options.find((option) => option.value === value)?.label ?? value)
      : raw === undefined
        ? []
        : [raw]
  const set = labels.length > 0
  return (
    <span className={classes.chip} data-set={set || undefined}>
      <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus width={240}>
        <Popover.Target>
          <button
            type="button"
            className={classes.chipButton}
            aria-expanded={opened}
            aria-label={
              set
                ? say('facet', { name: facet.label, values: labels.join(', ') })
                : say('addFacet', { name: facet.label })
            }
            onClick={() => setOpened(!opened)}
          >
            {set ? say('facet', { name: facet.label, values: labels.join('、') }) : `${facet.label} +`}
          </button>
        </Popover.Target>
        <Popover.Dropdown p={10}>
          {facet.kind === 'choice' ? (
            <Choices
              options={facet.options}
              chosen={chosen}
              single={facet.single ?? false}
              onChange={(values) => {
                state.setFilter(facet.id, printList(values))
                if (facet.single) setOpened(false)
              }}
            />
          ) : (
            <TextFilter
              facet={facet}
              value={raw ?? ''}
              onSave={(text) => {
                state.setFilter(facet.id, text || undefined)
                setOpened(false)
              }}
            />
          )}
        </Popover.Dropdown>
      </Popover>
      {set && (
        <button
          type="button"
          className={classes.chipRemove}
          aria-label={say('removeFilter', { name: facet.label })}
          onClick={() => state.setFilter(facet.id, undefined)}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </span>
  )
}
