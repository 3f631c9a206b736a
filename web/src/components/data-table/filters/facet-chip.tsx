import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { onDemandWithin } from '../../../lib/loading/on-demand.tsx'
import type { TableState } from '../../../lib/url/table-state.ts'
import { printList, readList } from '../../../lib/url/url-state.ts'
import { Icon } from '../../display/icon.tsx'
import { Popover } from '../../menu/popover.tsx'
import { useUiMessages } from '../../messages.ts'
import type { Facet } from '../columns/column.ts'
import classes from '../data-table.module.css'

const FacetChoices = onDemandWithin(async () => (await import('./facet-choices.tsx')).FacetChoices)
const TextFilter = onDemandWithin(async () => (await import('./facet-text.tsx')).TextFilter)

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

/** A filter as a chip: dashed until set, then with its values and a one-click removal. */
export const FacetChip = <F extends string>({ facet, state }: { facet: Facet<F>; state: TableState<F> }) => {
  const say = useUiMessages()
  const raw = state.filters[facet.id]
  const chosen = readList(raw)
  const labels =
    facet.kind === 'choice'
      ? chosen.map((value) => facet.options.find((option) => option.value === value)?.label ?? value)
      : raw === undefined
        ? []
        : [raw]
  const set = labels.length > 0
  // An operator that is chosen first waits for its values.
  const [wantedNot, setWantedNot] = useState(false)
  const not = facet.not === true && (set ? state.not.includes(facet.id) : wantedNot)
  const contains = facet.kind === 'text' && !facet.whole
  const word = !not ? 'facet' : contains ? 'facetContainsNot' : 'facetNot'
  const save = (value: string | undefined): void => state.setFilter(facet.id, value, { not })
  return (
    <span className={classes.chip} data-set={set || undefined}>
      <Popover
        width={240}
        p={10}
        button={(buttonProps) => (
          <button
            type="button"
            className={classes.chipButton}
            aria-label={
              set ? say(word, { name: facet.label, values: labels.join(', ') }) : say('addFacet', { name: facet.label })
            }
            {...buttonProps}
          >
            {set ? say(word, { name: facet.label, values: labels.join('、') }) : `${facet.label} +`}
          </button>
        )}
      >
        {(close) => (
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
                chosen={chosen}
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
        )}
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
