import { Checkbox, Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ValueCounts } from '../../../lib/api/contract.ts'
import { useUiMessages } from '../../messages.ts'
import type { ChoiceFacet, FacetCounts, FacetOption } from '../columns/column.ts'
import classes from '../data-table.module.css'
import { countText, useCounts } from './facet-text.tsx'

/** More values than this get a search box. */
const searchableFrom = 9

interface ChoicesProps {
  facet: ChoiceFacet
  chosen: readonly string[]
  onChange: (values: string[]) => void
}

/** The options, and the values that there are beside them. */
const optionsOf = ({ options }: ChoiceFacet, counts: ValueCounts | undefined): readonly FacetOption[] => {
  const optionValues = new Set(options.map(({ value }) => value))
  // A comma would make two values of one in the address.
  const others = (counts?.values ?? []).filter(({ value }) => !optionValues.has(value) && !value.includes(','))
  return [...options, ...others.map(({ value, name }) => ({ value, label: name ?? value }))]
}

const List = ({ facet, chosen, counts, onChange }: ChoicesProps & { counts: ValueCounts | undefined }) => {
  const say = useUiMessages()
  const [wanted, setWanted] = useState('')
  const options = optionsOf(facet, counts)
  const shown = options.filter((option) => option.label.toLowerCase().includes(wanted.toLowerCase()))
  const toggle = (value: string): void => {
    if (facet.single) onChange([value])
    else if (chosen.includes(value)) onChange(chosen.filter((entry) => entry !== value))
    else onChange([...chosen, value])
  }
  const Box = facet.single ? Radio : Checkbox
  return (
    <>
      {options.length >= searchableFrom && (
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
              checked={chosen.includes(option.value)}
              onChange={() => toggle(option.value)}
            />
            {counts && <span className="num faint">{countText(option.value, counts)}</span>}
          </li>
        ))}
        {shown.length === 0 && <li className="faint">{say('facetEmpty')}</li>}
      </ul>
    </>
  )
}

const CountedList = ({ counts, ...props }: ChoicesProps & { counts: FacetCounts }) => (
  <List {...props} counts={useCounts(props.facet, counts)} />
)

/** The values of a filter, with how many rows each has where the list counts them. */
export const FacetChoices = (props: ChoicesProps) =>
  props.facet.counts ? <CountedList {...props} counts={props.facet.counts} /> : <List {...props} counts={undefined} />
