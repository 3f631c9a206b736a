import { NumberInput, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRef } from 'react'
import { MomentField } from '#web/components/date/moment-field.tsx'
import { FormDrawer } from '#web/components/form/form-drawer.tsx'
import { call } from '#web/lib/api/api.ts'
import { type Correction, calls } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import { useTimeZone } from '#web/lib/time/time-zone.ts'
import classes from './corrections.module.css'
import { blankCorrection, bodyOf, correctionRules } from './fields.ts'
import { useCorrectionMessages } from './messages.ts'

/** Which calls were charged wrongly, and what their price should have been. */
export const CorrectionForm = (props: { onClose: () => void; onCreated: (made: Correction) => void }) => {
  const say = useCorrectionMessages()
  const zone = useTimeZone()
  const form = useForm({
    initialValues: blankCorrection,
    validate: correctionRules(say, zone),
    validateInputOnBlur: true,
  })
  // The sheet closes by itself once it is saved; before that it guards its edits.
  const made = useRef<Correction>(undefined)
  const create = useAction(
    async (values: typeof blankCorrection) =>
      call(calls.createCorrection, { body: bodyOf(values, await call(calls.listOptions), zone) }),
    {
      refresh: [calls.listCorrections],
      onDone: (correction) => {
        made.current = correction
      },
    },
  )
  const dollars = { min: 0, hideControls: true, classNames: { input: 'num' } }
  return (
    <FormDrawer
      title={say('create')}
      form={form}
      onSubmit={create.submit}
      onClose={() => (made.current === undefined ? props.onClose() : props.onCreated(made.current))}
      submitLabel={say('compute')}
    >
      <TextInput
        label={say('models')}
        description={say('modelsHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        classNames={{ input: 'mono' }}
        required
        data-autofocus
        {...form.getInputProps('models')}
      />
      <div className={classes.pair}>
        <MomentField label={say('from')} required {...form.getInputProps('from')} />
        <MomentField label={say('to')} required {...form.getInputProps('to')} />
      </div>
      <div className={classes.pair}>
        <TextInput label={say('channels')} placeholder={say('channelsHint')} {...form.getInputProps('channels')} />
        <TextInput label={say('users')} placeholder={say('usersHint')} {...form.getInputProps('users')} />
      </div>
      <fieldset className={classes.price}>
        <legend>{say('price')}</legend>
        <SegmentedControl
          aria-label={say('price')}
          data={[
            { value: 'tokens', label: say('byTokens') },
            { value: 'call', label: say('byCall') },
          ]}
          {...form.getInputProps('mode')}
        />
        {form.getValues().mode === 'tokens' ? (
          <>
            <div className={classes.pair}>
              <NumberInput label={say('input')} required {...dollars} {...form.getInputProps('input')} />
              <NumberInput label={say('output')} required {...dollars} {...form.getInputProps('output')} />
            </div>
            <NumberInput
              label={say('cached')}
              placeholder={say('cachedHint')}
              {...dollars}
              {...form.getInputProps('cached')}
            />
          </>
        ) : (
          <NumberInput label={say('perCall')} required {...dollars} {...form.getInputProps('perCall')} />
        )}
        <p className={classes.note}>{say('priceHint')}</p>
      </fieldset>
      <Textarea
        label={say('note')}
        placeholder={say('noteHint')}
        autosize
        minRows={2}
        {...form.getInputProps('note')}
      />
    </FormDrawer>
  )
}
