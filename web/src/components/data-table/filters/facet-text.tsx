import { Autocomplete, Group } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ChannelFacet, ValueCounts } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import type { Facet, FacetCounts, TextFacet } from '../columns/column.ts'

/** Counted when they are looked at, given the other filters of the list. */
export const useCounts = (facet: Facet, counts: FacetCounts): ValueCounts | undefined => {
  // The names of the facets differ from list to list; their endpoints take them all the same way.
  const query = { ...counts.query, facet: facet.id as ChannelFacet }
  return useEndpoint(counts.endpoint, { query }, { staleTimeMs: 0 }).data
}

/** How many rows a value has; where counting stopped, at least so many, or an unknown number. */
export const countText = (value: string, counts: ValueCounts): string => {
  const count = counts.values.find((entry) => entry.value === value)?.count
  if (!counts.capped) return formatInteger(count ?? 0)
  return count === undefined ? '' : `${formatInteger(count)}+`
}

interface TextProps {
  facet: TextFacet
  value: string
  onSave: (text: string) => void
}

/** Values in use, the most frequent first, then further possible values. */
const suggested = ({ suggestions = [] }: TextFacet, counts: ValueCounts | undefined): string[] => [
  ...new Set([...(counts?.values ?? []).map(({ value }) => value), ...suggestions]),
]

const Text = ({ facet, counts, ...props }: TextProps & { counts: ValueCounts | undefined }) => {
  const [text, setText] = useState(props.value)
  const save = (event: FormEvent): void => {
    event.preventDefault()
    props.onSave(text.trim())
  }
  return (
    <form onSubmit={save}>
      <Autocomplete
        size="xs"
        aria-label={facet.label}
        placeholder={facet.placeholder}
        data={suggested(facet, counts)}
        comboboxProps={{ withinPortal: false }}
        withScrollArea={false}
        styles={{ options: { maxHeight: 220, overflowY: 'auto' } }}
        limit={20}
        value={text}
        onChange={setText}
        onOptionSubmit={(value) => props.onSave(facet.exactly?.(value) ?? value)}
        renderOption={({ option: { value } }) => (
          <Group justify="space-between" gap={8} wrap="nowrap" flex={1}>
            <span>{facet.nameOf?.(value) ?? value}</span>
            {counts && <span className="num faint">{countText(value, counts)}</span>}
          </Group>
        )}
        data-autofocus
      />
    </form>
  )
}

const CountedText = ({ counts, ...props }: TextProps & { counts: FacetCounts }) => (
  <Text {...props} counts={useCounts(props.facet, counts)} />
)

/** A filter that is written. */
export const TextFilter = (props: TextProps) =>
  props.facet.counts ? <CountedText {...props} counts={props.facet.counts} /> : <Text {...props} counts={undefined} />
