import { TextInput, type TextInputProps } from '@mantine/core'
import { useQuotaText } from '../../components/display/quota.tsx'
import { QuotaInput } from '../../components/form/quota-input.tsx'
import { useUserMessages } from './messages.ts'
import classes from './users.module.css'

interface QuotaAdjustProps {
  /** Quota units, as the two that follow. */
  balance: number
  delta: number
  /** The form's state of the two fields. */
  deltaProps: { onChange: (delta: number) => void; error?: React.ReactNode; 'data-autofocus'?: boolean }
  reasonProps: TextInputProps
}

/** Adds to a balance or subtracts from it, with a reason; shows the resulting balance. */
export const QuotaAdjust = ({ balance, delta, deltaProps, reasonProps }: QuotaAdjustProps) => {
  const say = useUserMessages()
  const quotaText = useQuotaText()
  const sum = balance + delta
  return (
    <div className={classes.adjust}>
      <QuotaInput
        label={say('adjust')}
        placeholder={say('adjustHint')}
        presets={[1, 10, 50, 100]}
        negative
        {...deltaProps}
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
        {...reasonProps}
      />
    </div>
  )
}
