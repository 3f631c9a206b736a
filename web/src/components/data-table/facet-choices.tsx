import { Checkbox, Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ChannelFacet, ValueCounts } from '../../lib/contract.ts'
import { formatInteger } from '../../lib/format.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useUiWords } from '../messages.ts'
import type { ChoiceFacet, FacetCounts, FacetOption } from './column.ts'
import classes from './data-table.module.css'

/** More values than this get a search box. */
const searchableFrom = 9

interface ChoicesProps {
  facet: ChoiceFacet
  chosen: readonly string[]
  onChange: (values: string[]) => void
}

/** The options, and the values that there are beside them. */
const optionsOf = ({ options }: ChoiceFacet, counts: ValueCounts | undefined): readonly FacetOption[] => {
  const known = new Set(options.map(({ value }) => value))
  // A comma would make two values of one in the address.
  const others = (counts?.values ?? []).filter(({ value }) => !known.has(value) && !value.includes(','))
  return [...options, ...others.map(({ value }) => ({ value, label: value }))]
}

/** How many rows a value has; where counting stopped, at least so many, or an unknown number. */
const countText = (value: string, counts: ValueCounts): string => {
  const count = counts.values.find((entry) => entry.value === value)?.count
  if (!counts.capped) return formatInteger(count ?? 0)
  return count === undefined ? '' : `${formatInteger(count)}+`
}

const List = ({ facet, chosen, counts, onChange }: ChoicesProps & { counts: ValueCounts | undefined }) => {
  const say = useUiWords()
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

/** Counted when they are looked at, given the other filters of the list. */
const CountedList = ({ counts, ...props }: ChoicesProps & { counts: FacetCounts }) => {
  // The names of the facets differ from list to list; their endpoints take them all the same way.
  const query = { ...counts.query, facet: props.facet.id as ChannelFacet }
  const { data } = useEndpoint(counts.endpoint, { query }, { staleTimeMs: 0 })
  return <List {...props} counts={data} />
}

/** The values of a filter, with how many rows each has where the list counts them. */
export const FacetChoices = (props: ChoicesProps) =>
  props.facet.counts ? <CountedList {...props} counts={props.facet.counts} /> : <List {...props} counts={undefined} />
