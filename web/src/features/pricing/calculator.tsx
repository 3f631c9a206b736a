import { NumberInput, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { CallQuota, Quota } from '../../components/display/quota.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { ErrorState } from '../../components/states.tsx'
import { calls, type GroupCost, type PricingItem, quotaType } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useStatus } from '../../lib/status.ts'
import { formatExactQuota, formatInteger } from '../../lib/text/format.ts'
import { typedOver } from '../../lib/text/select-text.ts'
import { type CallSize, formulaText } from './formula.ts'
import { usePricingMessages } from './messages.ts'
import { type PriceUnit, printRatio } from './prices.ts'
import classes from './pricing.module.css'

const typicalSize: CallSize = { prompt: 2000, cached: 0, completion: 500, calls: 1000 }
const most = 1_000_000_000
const quietMs = 250
const daysOfMonth = 30

interface CalculatorProps {
  models: readonly PricingItem[]
  model: string
  /** The group whose computation is shown. */
  group: string
  unit: PriceUnit
  onModel: (name: string) => void
  onClose: () => void
}

const Results = ({ costs, stale }: { costs: readonly GroupCost[]; stale: boolean }) => {
  const say = usePricingMessages()
  if (costs.length === 0) return <p className="muted">{say('noGroups')}</p>
  return (
    <table className={classes.costs} aria-label={say('result')} data-stale={stale || undefined}>
      <thead>
        <tr>
          <th scope="col">{say('shownGroup')}</th>
          <th scope="col">{say('ratio')}</th>
          <th scope="col">{say('once')}</th>
          <th scope="col">{say('daily')}</th>
          <th scope="col">{say('monthly')}</th>
        </tr>
      </thead>
      <tbody>
        {costs.map((cost) => (
          <tr key={cost.group}>
            <th scope="row">{cost.group}</th>
            <td className="num">×{printRatio(cost.group_ratio)}</td>
            <td>
              <CallQuota value={cost.quota} />
            </td>
            <td>
              <Quota value={cost.quota_per_day} />
            </td>
            <td>
              <Quota value={cost.quota_per_day * daysOfMonth} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The cost of calls of a given size in each group. The server computes it with the code that charges. */
export const Calculator = (props: CalculatorProps) => {
  const say = usePricingMessages()
  const status = useStatus()
  const [size, setSize] = useState(typicalSize)
  const [settled] = useDebouncedValue(size, quietMs)
  const tooMany = size.cached > size.prompt
  const model = props.models.find(({ model_name }) => model_name === props.model)
  const isReady = model !== undefined && settled.cached <= settled.prompt
  const costs = useEndpoint(calls.estimateCost, { query: { model: props.model, ...settled } }, { enabled: isReady })
  const fresh = settled === size && !costs.isPlaceholderData && !tooMany
  const shown = costs.data?.find(({ group }) => group === props.group) ?? costs.data?.[0]
  const number = (name: keyof CallSize, label: string, error?: string) => (
    <NumberInput
      label={label}
      value={size[name]}
      onChange={(value) => setSize((before) => ({ ...before, [name]: Number(value) || 0 }))}
      error={error}
      min={0}
      max={most}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="strict"
      thousandSeparator=","
      classNames={{ input: 'num' }}
    />
  )
  return (
    <Sheet opened onClose={props.onClose} title={say('calculator')} subtitle={say('calculatorText')} width={620}>
      <div className={classes.calculator}>
        <Select
          label={say('model')}
          placeholder={say('pickModel')}
          data={props.models.map(({ model_name }) => model_name)}
          value={model ? props.model : null}
          onChange={(name) => name !== null && props.onModel(name)}
          searchable
          {...typedOver}
          limit={50}
        />
        {model?.quota_type === quotaType.call && <p className="muted">{say('callHint')}</p>}
        <div className={classes.sizes}>
          {number('prompt', say('prompt'))}
          {number('cached', say('cachedTokens'), tooMany ? say('cachedTooMany') : undefined)}
          {number('completion', say('completion'))}
          {number('calls', say('calls'))}
        </div>
        <section aria-live="polite" aria-busy={!fresh}>
          {costs.error && !costs.data ? (
            <ErrorState error={costs.error} onRetry={() => void costs.refetch()} />
          ) : (
            model && costs.data && <Results costs={costs.data} stale={!fresh} />
          )}
        </section>
        {model && shown && fresh && (
          <section className={classes.computed}>
            <h3>{say('howComputed', { group: shown.group })}</h3>
            <code>
              {formulaText(model, settled, { ratio: shown.group_ratio, ...props.unit })} ={' '}
              {status.display_in_currency
                ? formatExactQuota(shown.quota, status)
                : say('quotaResult', { count: formatInteger(shown.quota) })}
            </code>
          </section>
        )}
      </div>
    </Sheet>
  )
}
