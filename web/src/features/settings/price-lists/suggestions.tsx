import { Button } from '@mantine/core'
import { dollars } from '../../../components/price-history/list-price.tsx'
import { useListPriceMessages } from '../../../components/price-history/messages.ts'
import { calls, type DataOf, type listUnpricedModels } from '../../../lib/api/contract.ts'
import { notifyInfo } from '../../../lib/notify.tsx'
import { useEndpoint } from '../../../lib/query.ts'
import type { PriceMaps } from '../prices/prices-maps.ts'
import { usePriceListMessages } from './messages.ts'
import classes from './price-lists.module.css'

type Unpriced = DataOf<typeof listUnpricedModels>[number]
type Suggestion = Unpriced['suggestions'][number]

const SuggestionLine = (props: { model: string; like: Suggestion; onAdopt: (() => void) | undefined }) => {
  const say = usePriceListMessages()
  const sayKind = useListPriceMessages()
  const { model, like, onAdopt } = props
  const { input, output } = like.price.rates
  return (
    <div className={classes.option}>
      <span className="mono">{like.model}</span>
      <span className="faint">{like.version}</span>
      <span className="num">
        {input !== undefined && `${sayKind('input')} ${dollars('input', input)}`}
        {output !== undefined && ` · ${sayKind('output')} ${dollars('output', output)}`}
      </span>
      <span className={classes.grow} />
      {onAdopt && (
        <Button size="xs" onClick={onAdopt} aria-label={say('adoptFrom', { model, like: like.model })}>
          {say('adopt')}
        </Button>
      )}
    </div>
  )
}

/** Models without a price, with models of the lists whose names are similar and whose price can be adopted as ratios. */
export const Suggestions = ({ maps }: { maps: PriceMaps }) => {
  const say = usePriceListMessages()
  const { data } = useEndpoint(calls.listUnpricedModels)
  const open = data?.filter(({ model, suggestions }) => suggestions.length > 0 && maps.of(model).ratio === undefined)
  if (open === undefined || open.length === 0) return null
  const adopt = (model: string, { ratio, completion_ratio: completion, cache_ratio: cache }: Suggestion): void => {
    maps.change(new Map([[model, { ratio, completion, ...(cache === undefined ? {} : { cache }) }]]))
    notifyInfo(say('adopted', { model }))
  }
  return (
    <section className={classes.similar} aria-label={say('suggestions')}>
      <h3>{say('suggestions')}</h3>
      <p className="muted">{say('suggestionsText')}</p>
      <ul className={classes.suggestions}>
        {open.map(({ model, suggestions }) => (
          <li key={model}>
            <strong className="mono">{model}</strong>
            {suggestions.map((like) => (
              <SuggestionLine
                key={`${like.provider} ${like.model}`}
                model={model}
                like={like}
                onAdopt={maps.writable ? () => adopt(model, like) : undefined}
              />
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}
