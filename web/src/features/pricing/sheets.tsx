import { useFocusReturn } from '@mantine/hooks'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { PricedGroup, Pricing } from '../../lib/pricing.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { readList } from '../../lib/url/url-state.ts'
import type { PriceUnit } from './prices.ts'

const Surcharges = onDemand(async () => (await import('./surcharges.tsx')).Surcharges)
const Calculator = onDemand(async () => (await import('./calculator.tsx')).Calculator)
const ModelSheet = onDemand(async () => (await import('./model-sheet.tsx')).ModelSheet)
const CompareSheet = onDemand(async () => (await import('./compare-sheet.tsx')).CompareSheet)

interface SheetsProps {
  pricing: Pricing
  /** The group that is looked at. */
  group: PricedGroup
  unit: PriceUnit
  onGroup: (name: string) => void
}

/**
 * The one sheet over the price list that the address names. A sheet opened from another replaces it, and closing it
 * brings the first one back.
 */
export const PricingSheets = ({ pricing, group, unit, onGroup }: SheetsProps) => {
  const [{ surcharges, calculate, model, compare }, setSearch] = useSearchParams()
  // Sheets that take each other's place come and go whole: the list gets the focus back when the last one is closed.
  useFocusReturn({ opened: Boolean(surcharges || calculate || model || compare) })
  const open = (sheet: 'surcharges' | 'calculate' | 'model', value: string): void => setSearch({ [sheet]: value })
  const close = (sheet: 'surcharges' | 'calculate' | 'model' | 'compare') => () => setSearch({ [sheet]: undefined })
  const shared = { pricing, group, unit }
  if (surcharges) return <Surcharges {...shared} onClose={close('surcharges')} />
  if (calculate) {
    return (
      <Calculator
        models={pricing.models}
        model={calculate}
        group={group.name}
        unit={unit}
        onModel={(name) => open('calculate', name)}
        onClose={close('calculate')}
      />
    )
  }
  if (model) {
    return (
      <ModelSheet
        {...shared}
        model={model}
        onCalculate={() => open('calculate', model)}
        onSurcharges={() => open('surcharges', '1')}
        onClose={close('model')}
      />
    )
  }
  return compare ? (
    <CompareSheet
      {...shared}
      names={readList(compare)}
      onGroup={onGroup}
      onModel={(name) => open('model', name)}
      onClose={close('compare')}
    />
  ) : null
}
