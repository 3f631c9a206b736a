import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CopyText } from '../../components/copy/copy-text.tsx'
import { Facts, FactsHeading } from '../../components/display/facts.tsx'
import { GroupTag } from '../../components/display/group-tag.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { FirstCalls } from '../../components/first-calls/first-calls.tsx'
import { Logo } from '../../components/logo/logo.tsx'
import { useListPriceMessages } from '../../components/price-history/messages.ts'
import { PriceHistory } from '../../components/price-history/price-history.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { EmptyState } from '../../components/states.tsx'
import { type PricingItem, quotaType } from '../../lib/api/contract.ts'
import type { PricedGroup, Pricing } from '../../lib/pricing.ts'
import { useGroupText } from '../../lib/text/group-text.ts'
import { useCatalogueMessages } from './catalogue/messages.ts'
import { Price, typeWord, Unpriced } from './cells.tsx'
import classes from './details.module.css'
import { usePricingDetailMessages } from './details-messages.ts'
import { usePricingMessages } from './messages.ts'
import { type PriceUnit, priceNames, pricesIn, printRatio } from './prices.ts'

const GroupPrices = (props: { item: PricingItem; group: PricedGroup; unit: PriceUnit; shown: boolean }) => {
  const say = usePricingMessages()
  const groupText = useGroupText()
  const { item, group, unit, shown } = props
  const prices = pricesIn(item, group.ratio, unit)
  return (
    <li data-shown={shown || undefined}>
      <h4 className={classes.head}>
        <GroupTag name={shown ? say('selectedGroup', { group: group.name }) : group.name} ratio={group.ratio} />
        {group.description !== '' && <span className="muted">{groupText(group.description)}</span>}
      </h4>
      <dl className={classes.figures}>
        {priceNames.map((name) => {
          const price = prices[name]
          return (
            price && (
              <div key={name}>
                <dt>{say(name)}</dt>
                <dd>
                  <Price price={price} unit={unit} />
                </dd>
              </div>
            )
          )
        })}
      </dl>
    </li>
  )
}

const Details = (props: {
  item: PricingItem
  serving: readonly PricedGroup[]
  shown: string
  unit: PriceUnit
  onSurcharges: () => void
}) => {
  const say = usePricingMessages()
  const details = usePricingDetailMessages()
  const sayList = useListPriceMessages()
  const { item, serving, unit } = props
  const ratios = [
    [say('modelShort'), item.model_ratio],
    [say('completionShort'), item.completion_ratio],
  ] as const
  return (
    <>
      <Facts
        facts={[
          { label: say('model'), value: <CopyText text={item.model_name} name={item.model_name} /> },
          {
            label: say('vendor'),
            value: (
              <span className={classes.maker}>
                <Logo of={{ maker: item.owner, model: item.model_name }} name={item.owner} />
                {item.owner}
              </span>
            ),
          },
          { label: say('type'), value: say(typeWord(item)) },
          item.quota_type === quotaType.usage && {
            label: say('ratios'),
            value: ratios.map(([label, ratio]) => `${label} ${printRatio(ratio)}`).join(' · '),
          },
          !item.priced && { label: say('availability'), value: <Unpriced item={item} say={say} /> },
        ]}
      />
      {item.priced && (
        <>
          <FactsHeading>{sayList('title')}</FactsHeading>
          <PriceHistory model={item.model_name} />
        </>
      )}
      <FactsHeading>{details('prices')}</FactsHeading>
      {serving.length === 0 ? (
        <p className="muted">{say('noGroups')}</p>
      ) : (
        <ul className={classes.cards}>
          {serving.map((group) => (
            <GroupPrices
              key={group.name}
              item={item}
              group={group}
              unit={unit}
              shown={group.name === props.shown && serving.length > 1}
            />
          ))}
        </ul>
      )}
      <button type="button" className={`text-button ${classes.more}`} onClick={props.onSurcharges}>
        {say('surcharges')}
      </button>
      <div className={classes.sample}>
        <FirstCalls model={item.model_name} apiKey="sk-…" title={details('sample')} />
        <p className="muted">{details('sampleText')}</p>
      </div>
    </>
  )
}

/** One model: its cost in every group that the reader may use, its endpoints, and a link to try it. */
export const ModelSheet = (props: {
  pricing: Pricing
  model: string
  /** The group that is looked at. */
  group: PricedGroup
  unit: PriceUnit
  onCalculate: () => void
  onSurcharges: () => void
  onClose: () => void
}) => {
  const say = usePricingMessages()
  const details = usePricingDetailMessages()
  const sayCatalogue = useCatalogueMessages()
  const { pricing, model, group } = props
  const item = pricing.models.find(({ model_name }) => model_name === model)
  const serving = pricing.groups.filter(({ name }) => item?.enable_groups.includes(name))
  const used = serving.find(({ name }) => name === group.name) ?? serving[0]
  return (
    <Sheet
      opened
      onClose={props.onClose}
      title={item ? model : details('unknown')}
      width={620}
      footer={
        item && (
          <>
            {used && (
              <Button
                component={Link}
                variant="filled"
                leftSection={<Icon name="chat" size={14} />}
                to="/playground"
                search={{ model, group: used.name } as never}
              >
                {details('tryIt')}
              </Button>
            )}
            <Button leftSection={<Icon name="chart" size={14} />} onClick={props.onCalculate}>
              {say('calculate')}
            </Button>
            <Button component={Link} to="/pricing/model/$" params={{ _splat: model } as never}>
              {sayCatalogue('openPage')}
            </Button>
          </>
        )
      }
    >
      {item ? (
        <Details item={item} serving={serving} shown={group.name} unit={props.unit} onSurcharges={props.onSurcharges} />
      ) : (
        <EmptyState icon="list" title={details('unknown')} text={details('unknownText', { name: model })} />
      )}
    </Sheet>
  )
}
