import { memo } from 'react'
import { EndBadge, StatusBadge } from '../../../components/display/status-badge.tsx'
import { Logo } from '../../../components/logo/logo.tsx'
import { ScrollFrame } from '../../../components/scroll-frame.tsx'
import { formatDuration, formatSuccess } from '../../../lib/text/format.ts'
import type { PricedModel } from '../catalogue.ts'
import { nothing, Price, Unpriced } from '../cells.tsx'
import { usePricingMessages } from '../messages.ts'
import { type PriceUnit, pieceOf } from '../prices.ts'
import type { ModelCardProps } from './card.tsx'
import { useCatalogueMessages } from './messages.ts'
import { ModelLink } from './model-link.tsx'
import classes from './rest-table.module.css'
import { UptimeBars } from './uptime-bars.tsx'
import { answersText, isMeasured, shortTokens } from './words.ts'

const Prices = ({ model: { prices, card }, unit }: { model: PricedModel; unit: PriceUnit }) => {
  const say = usePricingMessages()
  const { input, output, cached } = prices
  const piece = pieceOf(prices)
  if (piece !== undefined)
    return (
      <td colSpan={3}>
        <Price price={piece.price} unit={unit} /> <span className="faint">{say(piece.name)}</span>
      </td>
    )
  const shown = answersText(card) ? [input, output, cached] : [input, undefined, undefined]
  return shown.map((price, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: three columns that never move
    <td key={place}>{price === undefined ? nothing : <Price price={price} unit={unit} />}</td>
  ))
}

const Measures = ({ model: { measures, callsShown } }: { model: PricedModel }) => {
  const say = useCatalogueMessages()
  if (!callsShown) return null
  if (!isMeasured(measures))
    return (
      <>
        <td>{nothing}</td>
        <td>{nothing}</td>
        <td>{nothing}</td>
      </>
    )
  const { first_p50: first, speed, uptime, days } = measures
  const share = uptime === null ? '—' : formatSuccess(uptime)
  return (
    <>
      <td>{first === null ? nothing : formatDuration(first)}</td>
      <td>{speed === null ? nothing : Math.round(speed)}</td>
      <td>
        <span className={classes.uptime}>
          <UptimeBars days={days} label={say('uptimeOf', { value: share })} />
          {share}
        </span>
      </td>
    </>
  )
}

const Row = memo(({ model, unit, picked, onPick, onOpen }: ModelCardProps) => {
  const say = useCatalogueMessages()
  const sayPrices = usePricingMessages()
  const { item, card, available } = model
  const name = item.model_name
  return (
    <tr data-quiet={!available || card.hidden || undefined}>
      <td>
        <span className={classes.named}>
          <Logo of={{ maker: card.maker, model: name }} name={card.maker === 'custom' ? name : card.maker} />
          <ModelLink className={`mono ${classes.link}`} name={name} onOpen={onOpen} />
          <EndBadge day={card.retires} replacedBy={card.replaced_by} />
          {card.hidden && <StatusBadge tone="neutral" label={say('hidden')} />}
          {!item.priced && <Unpriced item={item} say={sayPrices} />}
        </span>
      </td>
      <Prices model={model} unit={unit} />
      <td>{card.context > 0 ? shortTokens(card.context) : nothing}</td>
      <Measures model={model} />
      <td>
        <input type="checkbox" checked={picked} aria-label={say('pick', { name })} onChange={() => onPick(name)} />
      </td>
    </tr>
  )
})

interface Props extends Pick<ModelCardProps, 'unit' | 'onPick' | 'onOpen'> {
  models: readonly PricedModel[]
  picked: readonly string[]
}

/** The models behind those that have a card, a line each. */
export const RestTable = ({ models, picked, ...row }: Props) => {
  const say = useCatalogueMessages()
  const heads = [
    ...[say('name'), say('input'), say('output'), say('cached'), say('context')],
    ...(models.some(({ callsShown }) => callsShown) ? [say('first'), say('tokensPerSecond'), say('uptime')] : []),
  ]
  return (
    <ScrollFrame className={`panel ${classes.frame}`} label={say('otherModels')}>
      <table className={classes.table} aria-label={say('otherModels')}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">{say('compare')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <Row key={model.item.model_name} model={model} picked={picked.includes(model.item.model_name)} {...row} />
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}
