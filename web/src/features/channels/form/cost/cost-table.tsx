import { ActionIcon, Autocomplete, Button, Select, TextInput } from '@mantine/core'
import { ownMember } from '@tollgate/contract/own-member'
import { Icon } from '../../../../components/display/icon.tsx'
import classes from './cost.module.css'
import { useCostMessages } from './cost-messages.ts'
import {
  type CostRows,
  type DiscountRow,
  newDiscount,
  newPrice,
  type OwnPriceRow,
  pricings,
  usualKinds,
} from './cost-rows.ts'

interface TableProps {
  rows: CostRows
  /** Models that are suggested. */
  models: readonly string[]
  isInvalid: boolean
  onChange: (rows: CostRows) => void
  onBlur?: (() => void) | undefined
}

type Say = ReturnType<typeof useCostMessages>

/** A kind in words, or as its name in the API where the table has no word for it. */
const kindText = (say: Say, kind: string): string =>
  usualKinds.includes(kind) ? say(kind as 'input' | 'output' | 'cache_read' | 'cache_write') : kind

const figureOf = ({ figures }: OwnPriceRow, kind: string): string => ownMember(figures, kind) ?? ''

const kindsOf = ({ pricing, figures }: OwnPriceRow): readonly string[] => {
  if (pricing !== 'tokens') return [pricing]
  return [...new Set([...usualKinds, ...Object.keys(figures)])].filter((kind) => kind !== 'call' && kind !== 'factor')
}

interface RowProps<Row> extends Pick<TableProps, 'isInvalid' | 'onBlur'> {
  row: Row
  onChange: (change: Partial<Row>) => void
  onRemove: () => void
}

const PriceLine = ({ row, models, isInvalid, ...on }: RowProps<OwnPriceRow> & Pick<TableProps, 'models'>) => {
  const say = useCostMessages()
  return (
    <fieldset className={classes.price} aria-label={row.model.trim() || say('model')}>
      <div className={classes.priceHead}>
        <Autocomplete
          aria-label={say('model')}
          placeholder={say('model')}
          data={[...models]}
          limit={20}
          spellCheck={false}
          value={row.model}
          error={isInvalid && row.model.trim() === ''}
          classNames={{ input: 'mono' }}
          onChange={(model) => on.onChange({ model })}
          onBlur={on.onBlur}
        />
        <Select
          aria-label={say('pricing')}
          allowDeselect={false}
          data={pricings.map((value) => ({ value, label: say(value) }))}
          value={row.pricing}
          onChange={(pricing) => pricing && on.onChange({ pricing })}
        />
        <ActionIcon aria-label={say('removePrice', { model: row.model })} onClick={on.onRemove}>
          <Icon name="trash" />
        </ActionIcon>
      </div>
      <div className={classes.figures}>
        {kindsOf(row).map((kind) => (
          <TextInput
            key={kind}
            size="xs"
            label={row.pricing === 'tokens' ? kindText(say, kind) : say(row.pricing)}
            inputMode="decimal"
            value={figureOf(row, kind)}
            error={isInvalid && !/^\s*(\d+(\.\d+)?)?\s*$/.test(figureOf(row, kind))}
            onChange={(event) => on.onChange({ figures: { ...row.figures, [kind]: event.currentTarget.value } })}
            onBlur={on.onBlur}
          />
        ))}
      </div>
    </fieldset>
  )
}

const DiscountLine = ({ row, at, isInvalid, ...on }: RowProps<DiscountRow> & { at: number }) => {
  const say = useCostMessages()
  const day = (name: 'from' | 'to') => (
    <TextInput
      type="date"
      size="xs"
      label={say(name)}
      value={row[name]}
      onChange={(event) => on.onChange({ [name]: event.currentTarget.value })}
      onBlur={on.onBlur}
    />
  )
  return (
    <div className={classes.discount}>
      {day('from')}
      {day('to')}
      <TextInput
        size="xs"
        label={say('discountFactor')}
        placeholder="0.9"
        inputMode="decimal"
        value={row.factor}
        error={isInvalid && !/^\s*\d+(\.\d+)?\s*$/.test(row.factor)}
        onChange={(event) => on.onChange({ factor: event.currentTarget.value })}
        onBlur={on.onBlur}
      />
      <ActionIcon aria-label={say('removeDiscount', { row: at })} onClick={on.onRemove}>
        <Icon name="trash" />
      </ActionIcon>
    </div>
  )
}

const changedRow = <Row extends { readonly id: number }>(
  rows: readonly Row[],
  id: number,
  change: Partial<Row>,
): Row[] => rows.map((row) => (row.id === id ? { ...row, ...change } : row))
const withoutRow = <Row extends { readonly id: number }>(rows: readonly Row[], id: number): Row[] =>
  rows.filter((row) => row.id !== id)

/** Own prices by model, and discounts by date. */
export const CostTable = ({ rows, models, isInvalid, onChange, onBlur }: TableProps) => {
  const say = useCostMessages()
  const { prices, discounts } = rows
  const shared = { isInvalid, onBlur }
  return (
    <>
      <fieldset className={classes.group}>
        <legend>{say('prices')}</legend>
        <p>{say('pricesHint')}</p>
        {prices.map((row) => (
          <PriceLine
            key={row.id}
            row={row}
            models={models}
            {...shared}
            onChange={(change) => onChange({ prices: changedRow(prices, row.id, change), discounts })}
            onRemove={() => onChange({ prices: withoutRow(prices, row.id), discounts })}
          />
        ))}
        <Button
          size="compact-sm"
          leftSection={<Icon name="plus" size={13} />}
          onClick={() => onChange({ prices: [...prices, newPrice()], discounts })}
        >
          {say('addPrice')}
        </Button>
      </fieldset>
      <fieldset className={classes.group}>
        <legend>{say('discounts')}</legend>
        <p>{say('discountsHint')}</p>
        {discounts.map((row, place) => (
          <DiscountLine
            key={row.id}
            row={row}
            at={place + 1}
            {...shared}
            onChange={(change) => onChange({ prices, discounts: changedRow(discounts, row.id, change) })}
            onRemove={() => onChange({ prices, discounts: withoutRow(discounts, row.id) })}
          />
        ))}
        <Button
          size="compact-sm"
          leftSection={<Icon name="plus" size={13} />}
          onClick={() => onChange({ prices, discounts: [...discounts, newDiscount()] })}
        >
          {say('addDiscount')}
        </Button>
      </fieldset>
    </>
  )
}
