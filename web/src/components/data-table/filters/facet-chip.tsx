import { useEffect, useEffectEvent } from 'react'
import { isChosen, type TableState } from '../../../lib/url/table-state.ts'
import { Icon } from '../../display/icon.tsx'
import { PopoverPanel } from '../../menu/popover.tsx'
import { usePopup } from '../../menu/popup.ts'
import { useUiMessages } from '../../messages.ts'
import type { Facet } from '../columns/column.ts'
import classes from '../data-table.module.css'
import { FacetEditor, facetLabels } from './facet-editor.tsx'

/** A filter as a chip: dashed until set, then with its values and a one-click removal. */
export const FacetChip = <F extends string>({
  facet,
  state,
  opensAtOnce = false,
}: {
  facet: Facet<F>
  state: TableState<F>
  /** It was just chosen from the menu of filters. */
  opensAtOnce?: boolean
}) => {
  const say = useUiMessages()
  const labels = facetLabels(facet, state)
  const set = labels.length > 0 && isChosen(state, facet.id)
  const contains = facet.kind === 'text' && !facet.whole
  const word = !state.not.includes(facet.id) ? 'facet' : contains ? 'facetContainsNot' : 'facetNot'
  const popup = usePopup('dialog')
  const open = useEffectEvent(() => popup.button.onClick())
  // The chip did not exist when it was chosen: it opens once it is in the page.
  useEffect(() => {
    if (opensAtOnce) open()
  }, [opensAtOnce])
  return (
    <span className={classes.chip} data-facet data-set={set || undefined}>
      <button
        type="button"
        className={classes.chipButton}
        aria-label={
          set ? say(word, { name: facet.label, values: labels.join(', ') }) : say('addFacet', { name: facet.label })
        }
        {...popup.button}
      >
        {set ? say(word, { name: facet.label, values: labels.join('、') }) : `${facet.label} +`}
      </button>
      {popup.used && (
        <PopoverPanel popup={popup} width={240} p={10}>
          <FacetEditor facet={facet} state={state} close={() => popup.setOpened(false)} />
        </PopoverPanel>
      )}
      {set && (
        <button
          type="button"
          className={classes.chipRemove}
          aria-label={say('removeFilter', { name: facet.label })}
          onClick={() => state.setFilter(facet.id, state.fallback?.(facet.id))}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </span>
  )
}
