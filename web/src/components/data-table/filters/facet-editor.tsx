import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { onDemandWithin } from '../../../lib/loading/on-demand.tsx'
import type { TableState } from '../../../lib/url/table-state.ts'
import { printList, readList } from '../../../lib/url/url-state.ts'
import { useUiMessages } from '../../messages.ts'
import type { Facet } from '../columns/column.ts'

const FacetChoices = onDemandWithin(async () => (await import('./facet-choices.tsx')).FacetChoices)
const TextFilter = onDemandWithin(async () => (await import('./facet-text.tsx')).TextFilter)

/** The values that a filter is set to, as people read them. */
export const facetLabels = <F extends string>(facet: Facet<F>, state: TableState<F>): readonly string[] => {
  const raw = state.filters[facet.id]
  if (facet.kind === 'text') return raw === undefined ? [] : [facet.nameOf?.(raw) ?? raw]
  return readList(raw).map((value) => facet.options.find((option) => option.value === value)?.label ?? value)
}

/** Chooses whether the filter includes or excludes its values. */
const Operator = (props: { facet: Facet; not: boolean; onChange: (not: boolean) => void }) => {
  const say = useUiMessages()
  const { facet } = props
  const contains = facet.kind === 'text' && !facet.whole
  return (
    <NativeSelect
      size="xs"
      mb={8}
      aria-label={say('operator', { name: facet.label })}
      value={props.not ? 'not' : 'is'}
      onChange={(event) => props.onChange(event.currentTarget.value === 'not')}
      data={[
        { value: 'is', label: say(contains ? 'contains' : 'is') },
        { value: 'not', label: say(contains ? 'containsNot' : 'isNot') },
      ]}
    />
  )
}

/** The content of a filter's chip: its condition and its values. `close` is called when it is set for good. */
export const FacetEditor = <F extends string>(props: { facet: Facet<F>; state: TableState<F>; close: () => void }) => {
  const { facet, state, close } = props
  const raw = state.filters[facet.id]
  const set = raw !== undefined
  // An operator that is chosen first waits for its values.
  const [wantedNot, setWantedNot] = useState(false)
  const not = facet.not === true && (set ? state.not.includes(facet.id) : wantedNot)
  const save = (value: string | undefined): void => state.setFilter(facet.id, value, { not })
  return (
    <>
      {facet.not && (
        <Operator
          facet={facet}
          not={not}
          onChange={(next) => {
            setWantedNot(next)
            if (set) state.setFilter(facet.id, raw, { not: next })
          }}
        />
      )}
      {facet.kind === 'choice' ? (
        <FacetChoices
          facet={facet}
          chosen={readList(raw)}
          onChange={(values) => {
            save(printList(values))
            if (facet.single) close()
          }}
        />
      ) : (
        <TextFilter
          facet={facet}
          value={raw ?? ''}
          onSave={(text) => {
            save(text || undefined)
            close()
          }}
        />
      )}
    </>
  )
}
