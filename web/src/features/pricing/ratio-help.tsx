import { Button } from '@mantine/core'
import { Icon } from '../../components/display/icon.tsx'
import { Popover } from '../../components/menu/popover.tsx'
import { decimal, divide, multiply } from '../../lib/decimal.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { usePricingMessages } from './messages.ts'
import { type PriceUnit, printPrice } from './prices.ts'
import classes from './pricing.module.css'

/** Explains the ratios and the value of ratio 1. */
export const RatioHelp = ({ unit }: { unit: PriceUnit }) => {
  const say = usePricingMessages()
  const quota = decimal(1_000_000)
  const one = unit.currency ? divide(quota, decimal(unit.quotaPerUnit), 12) : multiply(quota, decimal(1))
  return (
    <Popover
      width={340}
      position="bottom-end"
      label={say('aboutRatios')}
      button={(buttonProps) => (
        <Button variant="subtle" leftSection={<Icon name="info" size={14} />} {...buttonProps}>
          {say('aboutRatios')}
        </Button>
      )}
    >
      {() => (
        <div className={classes.help} tabIndex={-1} data-autofocus>
          <strong className="strong">{say('ratiosWhy')}</strong>
          <p>{say('ratioModel', { price: printPrice(one, unit) })}</p>
          <p>{say('ratioCompletion')}</p>
          <p>{say('ratioCache')}</p>
          <p>{say('ratioGroup')}</p>
          <p>{say('formula', { perUnit: formatInteger(unit.quotaPerUnit).replaceAll(',', '') })}</p>
        </div>
      )}
    </Popover>
  )
}
