import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuotaText } from '../../components/quota.tsx'
import { QuotaInput } from '../../components/quota-input.tsx'
import type { UserValues } from './fields.ts'
import { useUserWords } from './messages.ts'
import classes from './users.module.css'

/** Adds to a balance or takes from it, with its reason; shows what comes of it. `balance` in quota units. */
export const QuotaAdjust = ({ form, balance }: { form: UseFormReturnType<UserValues>; balance: number }) => {
  const say = useUserWords()
  const quotaText = useQuotaText()
  const { delta } = form.getValues()
  const sum = balance + delta
  return (
    <div className={classes.adjust}>
      <QuotaInput
        label={say('adjust')}
        placeholder={say('adjustHint')}
        presets={[1, 10, 50, 100]}
        negative
        {...form.getInputProps('delta')}
        value={delta}
      />
      <p className={`num ${classes.sum}`} data-bad={sum < 0 || undefined} aria-live="polite">
        {say('newQuota', {
          old: quotaText(balance),
          sign: delta < 0 ? '−' : '+',
          delta: quotaText(Math.abs(delta)),
          sum: quotaText(sum),
        })}
      </p>
      <TextInput
        label={say('reason')}
        placeholder={say('reasonPlaceholder')}
        disabled={delta === 0}
        withAsterisk={delta !== 0}
        {...form.getInputProps('reason')}
      />
    </div>
  )
}
