import { NumberInput, SegmentedControl, TagsInput, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useRef } from 'react'
import { MomentField } from '#web/components/date/moment-field.tsx'
import { FormDrawer } from '#web/components/form/form-drawer.tsx'
import { FoundMultiSelect } from '#web/components/limits/search-several.tsx'
import { call } from '#web/lib/api/api.ts'
import { type Correction, calls } from '#web/lib/api/contract.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { useTimeZone } from '#web/lib/time/time-zone.ts'
import classes from './corrections.module.css'
import { blankCorrection, bodyOf, correctionRules } from './fields.ts'
import { useCorrectionMessages } from './messages.ts'

const mostSuggested = 50

/** Form of a correction: the calls that were charged wrongly, and the price that they should have had. */
export const CorrectionForm = (props: { onClose: () => void; onCreated: (made: Correction) => void }) => {
  const say = useCorrectionMessages()
  const zone = useTimeZone()
  const { data: models = [] } = useEndpoint(calls.listEnabledModels)
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
      <TagsInput
        label={say('models')}
        description={say('modelsPick')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={models}
        limit={mostSuggested}
        splitChars={[',', '，']}
        required
        data-autofocus
        openOnFocus={false}
        {...form.getInputProps('models')}
      />
      <div className={classes.pair}>
        <MomentField label={say('from')} required {...form.getInputProps('from')} />
        <MomentField label={say('to')} required {...form.getInputProps('to')} />
      </div>
      <div className={classes.pair}>
        {(['channel', 'user'] as const).map((kind) => (
          <FoundMultiSelect
            key={kind}
            subjects={calls.findLimitSubjects}
            kind={kind}
            label={say(`${kind}s`)}
            placeholder={say(`any_${kind}`)}
            nothingFoundMessage={say('notFound')}
            value={form.getValues()[`${kind}s`]}
            onChange={(ids) => form.setFieldValue(`${kind}s`, ids)}
          />
        ))}
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
