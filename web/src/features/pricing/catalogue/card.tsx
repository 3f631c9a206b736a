import { memo } from 'react'
import { EndBadge, StatusBadge } from '../../../components/display/status-badge.tsx'
import { Logo } from '../../../components/logo/logo.tsx'
import { formatDuration, formatSuccess } from '../../../lib/text/format.ts'
import type { PricedModel } from '../catalogue.ts'
import { nothing, Price, Unpriced } from '../cells.tsx'
import { usePricingMessages } from '../messages.ts'
import { type PriceUnit, pieceOf } from '../prices.ts'
import classes from './card.module.css'
import { type SayCatalogue, useCatalogueMessages } from './messages.ts'
import { ModelLink } from './model-link.tsx'
import { UptimeBars } from './uptime-bars.tsx'
import { aboutText, answersText, isMeasured, shortTokens, takesText, tokensPerSecond } from './words.ts'

const Prices = ({ model, unit, say }: { model: PricedModel; unit: PriceUnit; say: SayCatalogue }) => {
  const sayPrices = usePricingMessages()
  const { input, output, cached } = model.prices
  const piece = pieceOf(model.prices)
  const shown =
    piece === undefined
      ? ([
          [say('input'), input],
          // Vectors and scores cost nothing, and no cache holds what they are made of.
          ...(answersText(model.card)
            ? ([
                [say('output'), output],
                [say('cached'), cached],
              ] as const)
            : []),
        ] as const)
      : ([[sayPrices(piece.name), piece.price]] as const)
  return (
    <dl className={classes.prices}>
      {shown.map(([label, price]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{price === undefined ? nothing : <Price price={price} unit={unit} />}</dd>
        </div>
      ))}
    </dl>
  )
}

const Measures = ({ model, say }: { model: PricedModel; say: SayCatalogue }) => {
  const { measures } = model
  if (!model.callsShown) return null
  if (!isMeasured(measures))
    return (
      <p className={classes.measures} data-none>
        {say('notMeasured')}
      </p>
    )
  const uptime = measures.uptime === null ? '—' : formatSuccess(measures.uptime)
  return (
    <div className={classes.measures}>
      {measures.first_p50 !== null && <span title={say('first')}>{formatDuration(measures.first_p50)}</span>}
      {measures.speed !== null && <span title={say('speed')}>{tokensPerSecond(measures.speed, say)}</span>}
      <UptimeBars days={measures.days} label={say('uptimeOf', { value: uptime })} />
      <span title={say('uptime')}>{uptime}</span>
    </div>
  )
}

export interface ModelCardProps {
  model: PricedModel
  unit: PriceUnit
  picked: boolean
  onPick: (name: string) => void
  /** A click opens the sheet; Enter follows the link to the page. */
  onOpen: (name: string) => void
}

/** One model of the catalogue. */
export const CatalogueCard = memo(({ model, unit, picked, onPick, onOpen }: ModelCardProps) => {
  const say = useCatalogueMessages()
  const sayPrices = usePricingMessages()
  const { item, card, available } = model
  const name = item.model_name
  return (
    <li className={`panel ${classes.card}`} data-quiet={!available || card.hidden || undefined}>
      <div className={classes.head}>
        <Logo of={{ maker: card.maker, model: name }} name={card.maker === 'custom' ? name : card.maker} size={28} />
        <div className={classes.names}>
          <ModelLink className={`mono ${classes.link}`} name={name} onOpen={onOpen} />
          <span className={classes.under}>
            <span className={classes.maker}>{card.maker}</span>
            <EndBadge day={card.retires} replacedBy={card.replaced_by} />
            {card.hidden && <StatusBadge tone="neutral" label={say('hidden')} />}
            {!item.priced && <Unpriced item={item} say={sayPrices} />}
          </span>
        </div>
        <label className={classes.pick}>
          <input type="checkbox" checked={picked} aria-label={say('pick', { name })} onChange={() => onPick(name)} />
        </label>
      </div>
      <Prices model={model} unit={unit} say={say} />
      <p className={classes.about}>{aboutText(card, say)}</p>
      <p className={classes.facts}>
        {[card.context > 0 && say('contextOf', { value: shortTokens(card.context) }), takesText(card, say)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <Measures model={model} say={say} />
    </li>
  )
})
