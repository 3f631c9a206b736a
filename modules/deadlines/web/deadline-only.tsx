import { Switch } from '@mantine/core'
import type { ScreenPartProps } from '#web/components/parts/screen-part.ts'
import { useDeadlineMessages } from './messages.ts'

/** The switch of a key that refuses calls without a deadline. */
export const DeadlineOnly = ({ flag }: ScreenPartProps) => {
  const say = useDeadlineMessages()
  if (flag === undefined) return null
  return (
    <Switch
      label={say('deadlineOnly')}
      description={say('deadlineOnlyHint')}
      checked={flag.value}
      onChange={({ currentTarget }) => flag.set(currentTarget.checked)}
    />
  )
}
