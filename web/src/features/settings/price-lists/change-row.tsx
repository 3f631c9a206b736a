import { NativeSelect } from '@mantine/core'
import { ownMember } from '@tollgate/contract/own-member'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { dollars, pricedKinds } from '../../../components/price-history/list-price.tsx'
import { type SayListPrice, useListPriceMessages } from '../../../components/price-history/messages.ts'
import type {
  DatedPrice,
  ListPriceChange,
  PriceDecision,
  PriceDoubt,
  PriceKind,
  StoredPrice,
} from '../../../lib/api/contract.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { Share } from '../prices/prices-share.tsx'
import { type SayPriceLists, usePriceListMessages } from './messages.ts'
import classes from './price-lists.module.css'

type Rates = DatedPrice['rates']

/** The price that holds today, as far as days alone decide. */
const currentOf = (stored: StoredPrice | undefined): DatedPrice | undefined => {
  const today = Date.now()
  const plain = stored?.prices.filter(({ hours }) => hours === undefined)
  return plain?.findLast(({ from }) => from === undefined || Date.parse(from) <= today) ?? stored?.prices[0]
}

const Figure = ({
  kind,
  before,
  after,
}: {
  kind: PriceKind
  before: string | undefined
  after: string | undefined
}) => {
  const say = usePriceListMessages()
  if (before === after) return <span className="num faint">{dollars(kind, after ?? '0')}</span>
  return (
    <>
      <del className="num">{before === undefined ? say('noPrice') : dollars(kind, before)}</del>
      <span aria-hidden="true">→</span>
      <ins className="num">{after === undefined ? say('noPrice') : dollars(kind, after)}</ins>
      {before !== undefined && after !== undefined && <Share before={Number(before)} after={Number(after)} />}
    </>
  )
}

const RateChanges = ({ before, after }: { before: Rates; after: Rates }) => {
  const say = useListPriceMessages()
  const kinds = pricedKinds({ ...before, ...after })
  return (
    <dl className={classes.rates}>
      {kinds.map((kind) => (
        <div key={kind}>
          <dt>{say(kind)}</dt>
          <dd>
            <Figure kind={kind} before={before[kind]} after={after[kind]} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const contextRates = (price: DatedPrice | undefined, above: number): Rates =>
  price?.contexts?.find((context) => context.above === above)?.rates ?? price?.rates ?? {}

const tierRates = (price: DatedPrice | undefined, tier: string): Rates =>
  (price?.in_tiers && ownMember(price.in_tiers, tier))?.rates ?? {}

const doubtText = ({ kind, reason, factor }: PriceDoubt, say: SayPriceLists, sayKind: SayListPrice): string =>
  say(reason, { kind: sayKind(kind), factor: factor ?? '' })

interface ChangeRowProps {
  change: ListPriceChange
  /** Undefined while somebody has to decide. */
  decision: PriceDecision | undefined
  /** Undefined where nothing is decided any more. */
  onDecide: ((decision: PriceDecision) => void) | undefined
}

const longestNames = 5

/** One model of a version: its price before and after, what is doubtful about it, and what becomes of it. */
export const ChangeRow = ({ change, decision, onDecide }: ChangeRowProps) => {
  const say = usePriceListMessages()
  const sayKind = useListPriceMessages()
  const { model, provider, before, after, doubts, served } = change
  const [old, now] = [currentOf(before), currentOf(after)]
  const bounds = [...new Set([old, now].flatMap((price) => price?.contexts?.map(({ above }) => above) ?? []))]
  const tiers = [...new Set([old, now].flatMap((price) => Object.keys(price?.in_tiers ?? {})))]
  const isOther = JSON.stringify(old?.rates) === JSON.stringify(now?.rates) && bounds.length === 0 && tiers.length === 0
  return (
    <li className={classes.change} data-held={doubts.length > 0 || undefined}>
      <div className={classes.head}>
        <strong className="mono">{model}</strong>
        {provider !== '' && <span className="faint">{provider}</span>}
        {before === undefined && <StatusBadge tone="info" label={say('newModel')} />}
        <span className={classes.grow} />
        {onDecide ? (
          <NativeSelect
            aria-label={`${say('decision')}: ${model}`}
            value={decision ?? ''}
            onChange={(event) => onDecide(event.currentTarget.value === 'apply' ? 'apply' : 'keep')}
            data={[
              ...(decision === undefined ? [{ value: '', label: say('undecided') }] : []),
              { value: 'apply', label: say('accept') },
              { value: 'keep', label: say('keep') },
            ]}
          />
        ) : (
          decision && <span className="muted">{say(decision === 'apply' ? 'accept' : 'keep')}</span>
        )}
      </div>
      {served.length > 0 && (
        <p className={classes.above}>
          {say('served', {
            names: `${served.slice(0, longestNames).join(', ')}${served.length > longestNames ? ' …' : ''}`,
          })}
        </p>
      )}
      <RateChanges before={old?.rates ?? {}} after={now?.rates ?? {}} />
      {bounds.map((above) => (
        <div key={above}>
          <p className={classes.above}>{sayKind('above', { tokens: formatInteger(above) })}</p>
          <RateChanges before={contextRates(old, above)} after={contextRates(now, above)} />
        </div>
      ))}
      {tiers.map((tier) => (
        <div key={tier}>
          <p className={`${classes.above} mono`}>{tier}</p>
          <RateChanges before={tierRates(old, tier)} after={tierRates(now, tier)} />
        </div>
      ))}
      {isOther && <p className={classes.above}>{say('other')}</p>}
      {doubts.length > 0 && (
        <ul className={classes.doubts} aria-label={say('doubts')}>
          {doubts.map((doubt) => (
            <li key={`${doubt.kind} ${doubt.reason}`}>{doubtText(doubt, say, sayKind)}</li>
          ))}
        </ul>
      )}
    </li>
  )
}
