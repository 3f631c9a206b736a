import { mostRedemptions } from 'virtual:contract'
import { Button, NumberInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { MomentField } from '#web/components/date/moment-field.tsx'
import { useQuotaText } from '#web/components/display/quota.tsx'
import { FormDrawer } from '#web/components/form/form-drawer.tsx'
import { QuotaInput, quotaPresets } from '#web/components/form/quota-input.tsx'
import { Sheet } from '#web/components/sheet.tsx'
import { call } from '#web/lib/api/api.ts'
import { calls, type Redemption } from '#web/lib/api/contract.ts'
import { useFresh } from '#web/lib/loading/fresh.ts'
import { useAction } from '#web/lib/query.ts'
import {
  expirySpans,
  nameOr,
  newRedemption,
  printExpiry,
  type RedemptionValues,
  readExpiry,
  redemptionRules,
  valuesOf,
} from './fields.ts'
import { useRedemptionMessages } from './messages.ts'
import classes from './redemptions.module.css'
import { type Created, SuccessSheet } from './success-sheet.tsx'

const useRedemptionForm = (initialValues: RedemptionValues, creating: boolean) => {
  const say = useRedemptionMessages()
  return useForm({ initialValues, validate: redemptionRules(say, { creating }), validateInputOnBlur: true })
}

const Expiry = ({ form }: { form: ReturnType<typeof useRedemptionForm> }) => {
  const say = useRedemptionMessages()
  const quick = Object.entries(expirySpans) as [keyof typeof expirySpans, number][]
  const set = (text: string): void => form.setFieldValue('expiry', text)
  return (
    <div>
      <MomentField label={say('expiry')} description={say('expiryHint')} {...form.getInputProps('expiry')} />
      <fieldset className={classes.quick} aria-label={say('expiry')}>
        <Button size="compact-xs" onClick={() => set('')}>
          {say('never')}
        </Button>
        {quick.map(([span, seconds]) => (
          <Button
            key={span}
            size="compact-xs"
            onClick={() => set(printExpiry(Math.floor(Date.now() / 1000) + seconds))}
          >
            {say(span)}
          </Button>
        ))}
      </fieldset>
    </div>
  )
}

const Fields = ({ form, creating }: { form: ReturnType<typeof useRedemptionForm>; creating: boolean }) => {
  const say = useRedemptionMessages()
  const quotaText = useQuotaText()
  const { quota } = form.getValues()
  return (
    <>
      <TextInput
        label={say('name')}
        placeholder={say('namePlaceholder')}
        description={creating ? say('nameHint', { name: quotaText(quota) }) : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required={!creating}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <QuotaInput label={say('quota')} presets={quotaPresets} {...form.getInputProps('quota')} value={quota} />
      {creating && (
        <NumberInput
          label={say('count')}
          description={say('countHint', { most: mostRedemptions })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('count')}
        />
      )}
      <Expiry form={form} />
    </>
  )
}

/** Makes codes, then shows them for copying and downloading. */
export const CreateRedemptions = ({ onClose }: { onClose: () => void }) => {
  const say = useRedemptionMessages()
  const quotaText = useQuotaText()
  const form = useRedemptionForm(newRedemption, true)
  const [created, setCreated] = useState<Created>()
  const make = async ({ name: enteredName, quota, count, expiry }: RedemptionValues): Promise<Created> => {
    const name = nameOr(enteredName, quotaText(quota))
    const body = { name, quota, count, expired_time: readExpiry(expiry) }
    return { name, keys: await call(calls.createRedemptions, { body }) }
  }
  const create = useAction(make, {
    done: say('createdDone'),
    refresh: [calls.searchRedemptions],
    onDone: (made) => setCreated(made),
  })
  if (created) return <SuccessSheet created={created} onClose={onClose} />
  return (
    <FormDrawer
      title={say('createTitle')}
      form={form}
      submitLabel={say('submit')}
      onClose={onClose}
      stayOpen
      onSubmit={create.submit}
    >
      <Fields form={form} creating />
    </FormDrawer>
  )
}

const EditFields = ({ code, onClose }: { code: Redemption; onClose: () => void }) => {
  const say = useRedemptionMessages()
  const update = useAction(calls.updateRedemption, {
    done: say('updatedDone'),
    refresh: [calls.searchRedemptions, calls.getRedemption],
  })
  const form = useRedemptionForm(valuesOf(code), false)
  return (
    <FormDrawer
      title={say('editTitle')}
      subtitle={`#${code.id}`}
      form={form}
      submitLabel={say('submit')}
      onClose={onClose}
      onSubmit={({ name, quota, expiry }) => {
        // The picker knows minutes only: an expiry that was not touched keeps its seconds.
        const changed = expiry !== printExpiry(code.expired_time)
        const body = { id: code.id, name: name.trim(), quota, ...(changed ? { expired_time: readExpiry(expiry) } : {}) }
        return update.submit({ body })
      }}
    >
      <Fields form={form} creating={false} />
    </FormDrawer>
  )
}

/** Changes an unused code, as it is now. */
export const EditRedemption = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const say = useRedemptionMessages()
  const code = useFresh(calls.getRedemption, { params: { id } })
  if (code.data) return <EditFields code={code.data} onClose={onClose} />
  return (
    <Sheet
      opened
      title={say('editTitle')}
      onClose={onClose}
      loading={!code.error}
      error={code.error}
      onRetry={() => void code.refetch()}
    />
  )
}
