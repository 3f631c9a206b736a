import { NumberInput, SegmentedControl, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { FormDrawer } from '#web/components/form/form-drawer.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import classes from './inspector.module.css'
import { useInspectorMessages } from './messages.ts'
import { type TargetKind, TargetSelect } from './target-select.tsx'

const longestMinutes = 1_440
const usualMinutes = 15

interface Values {
  kind: TargetKind
  target: string
  minutes: number | ''
  reason: string
}

const blank: Values = { kind: 'token', target: '', minutes: usualMinutes, reason: '' }

/** Form for the subject whose calls are captured, and the duration. */
export const InspectionForm = ({ onClose }: { onClose: () => void }) => {
  const say = useInspectorMessages()
  const form = useForm<Values>({
    initialValues: blank,
    validate: {
      target: (value) => (value === '' ? say('targetText') : null),
      minutes: (value) => (Number(value) >= 1 ? null : say('minutes')),
    },
  })
  const start = useAction(calls.startInspection, { refresh: [calls.listInspections] })
  return (
    <FormDrawer
      title={say('start')}
      form={form}
      onSubmit={({ kind, target, minutes, reason }: Values) =>
        start.submit({ body: { kind, target_id: Number(target), minutes: Number(minutes), reason } })
      }
      onClose={onClose}
      submitLabel={say('start')}
    >
      <SegmentedControl
        aria-label={say('what')}
        data={(['token', 'user', 'channel'] as const).map((value) => ({ value, label: say(`kind_${value}`) }))}
        {...form.getInputProps('kind')}
        onChange={(kind) => form.setValues({ kind: kind as TargetKind, target: '' })}
      />
      <TargetSelect
        key={form.values.kind}
        kind={form.values.kind}
        label={say('target')}
        value={form.values.target}
        onChange={(target) => form.setFieldValue('target', target)}
        error={form.errors.target}
      />
      <NumberInput
        label={say('minutes')}
        min={1}
        max={longestMinutes}
        required
        classNames={{ input: 'num' }}
        {...form.getInputProps('minutes')}
      />
      <TextInput label={say('reason')} maxLength={200} {...form.getInputProps('reason')} />
      <p className={classes.note}>{say('startText')}</p>
    </FormDrawer>
  )
}
