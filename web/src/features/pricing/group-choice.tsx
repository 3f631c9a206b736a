import { NativeSelect } from '@mantine/core'
import type { PricedGroup } from '../../lib/pricing.ts'
import { useGroupText } from '../../lib/text/group-text.ts'
import { usePricingMessages } from './messages.ts'
import { printRatio } from './prices.ts'
import classes from './pricing.module.css'

/** Choice of the group whose prices are shown. */
export const GroupChoice = (props: {
  groups: readonly PricedGroup[]
  value: string
  onChange: (name: string) => void
}) => {
  const say = usePricingMessages()
  const groupText = useGroupText()
  return (
    <NativeSelect
      size="xs"
      className={classes.groupChoice ?? ''}
      aria-label={say('group')}
      data={props.groups.map(({ name, ratio, description }) => ({
        value: name,
        label: [`${name} ×${printRatio(ratio)}`, groupText(description)].filter(Boolean).join(' · '),
      }))}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  )
}
