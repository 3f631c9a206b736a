import { Checkbox, NativeSelect, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { limitMeasures, limitSubjects, limitWindows } from '@tollgate/contract/limits/limit-choices'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { FieldPair, FormPart } from '../../components/form/form-part.tsx'
import { QuotaInput, quotaPresets } from '../../components/form/quota-input.tsx'
import { useAmountText } from '../../components/limits/limit-state.tsx'
import { boundText, whoText } from '../../components/limits/limit-text.ts'
import { useLimitTexts } from '../../components/limits/messages.ts'
import { call } from '../../lib/api/api.ts'
import type { Limit } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { actionsFor, bodyOf, hasUsual, hasZone, type LimitValues, limitRules, subjectsOf, windowOf } from './fields.ts'
import { useLimitCalls } from './limit-calls.ts'
import classes from './limits.module.css'
import { useLimitMessages } from './messages.ts'
import { FallbackModel, SubjectSelect, useFoundSubject } from './subject-select.tsx'

const width = 640
const mostZones = 60
const zones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
type LimitFields = UseFormReturnType<LimitValues>

/** One subject, or a second that must fit as well. */
const Subject = ({ form, place }: { form: LimitFields; place: 'first' | 'second' }) => {
  const say = useLimitMessages()
  const { isAdmin } = useLimitCalls()
  const { kind, value } = form.getValues()[place]
  const other = form.getValues()[place === 'first' ? 'second' : 'first'].kind
  const ownKinds =
    place === 'first'
      ? (['key'] as const)
      : (['model', 'virtual_model', 'address', 'deadline', 'end_user', 'tag'] as const)
  const kinds = (isAdmin ? limitSubjects : ownKinds).filter((one) => one !== other)
  return (
    <FieldPair>
      <NativeSelect
        label={say(place === 'first' ? 'kind' : 'and')}
        value={kind}
        data={[
          ...(place === 'first' ? [] : [{ value: '', label: say('noSecond') }]),
          ...kinds.map((one) => ({ value: one, label: say(`kind_${one}`) })),
        ]}
        onChange={(event) => {
          const next = kinds.find((one) => one === event.currentTarget.value) ?? ''
          form.setFieldValue(place, { kind: next, value: '' })
        }}
      />
      {kind !== '' && (
        <SubjectSelect
          kind={kind}
          value={value}
          onChange={(next) => form.setFieldValue(`${place}.value`, next)}
          error={form.errors[`${place}.value`]}
        />
      )}
    </FieldPair>
  )
}

const Amount = ({ form }: { form: LimitFields }) => {
  const say = useLimitMessages()
  const texts = useLimitTexts()
  const values = form.getValues()
  const { value, onChange, ...field } = form.getInputProps('amount')
  const window = windowOf(values)
  return (
    <>
      <FieldPair>
        {values.measure === 'money' ? (
          <QuotaInput
            {...field}
            label={say('amount')}
            data-autofocus
            required
            presets={quotaPresets}
            value={Number(value)}
            onChange={onChange}
          />
        ) : (
          <NumberInput
            {...field}
            label={say('amount')}
            data-autofocus
            required
            min={1}
            allowDecimal={false}
            allowNegative={false}
            thousandSeparator=","
            classNames={{ input: 'num' }}
            value={value}
            onChange={onChange}
          />
        )}
        <NativeSelect
          label={say('measure')}
          data={limitMeasures.map((one) => ({ value: one, label: texts(one) }))}
          {...form.getInputProps('measure')}
        />
      </FieldPair>
      {values.measure !== 'running' && (
        <FieldPair>
          <NativeSelect
            label={say('window')}
            data={limitWindows.flatMap((one) => (one === 'now' ? [] : [{ value: one, label: say(`window_${one}`) }]))}
            {...form.getInputProps('window')}
          />
          {window === 'rolling' && (
            <NumberInput
              label={say('hours')}
              min={1}
              allowDecimal={false}
              classNames={{ input: 'num' }}
              {...form.getInputProps('hours')}
            />
          )}
          {hasZone(window) && (
            <Select
              label={say('zoneLabel')}
              description={say('zoneHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              searchable
              allowDeselect={false}
              limit={mostZones}
              data={[...new Set([values.zone, ...zones()])]}
              {...form.getInputProps('zone')}
            />
          )}
        </FieldPair>
      )}
    </>
  )
}

interface FormProps {
  /** undefined for a new one. */
  readonly limit: Limit | undefined
  readonly initial: LimitValues
  readonly onClose: () => void
}

/** Makes a limit, or changes one: whose calls, at most how much, and what happens then. */
export const LimitForm = ({ limit, initial, onClose }: FormProps) => {
  const say = useLimitMessages()
  const texts = useLimitTexts()
  const amountText = useAmountText()
  const { isAdmin, create, update, list, standing } = useLimitCalls()
  const form = useForm<LimitValues>({ initialValues: initial, validate: limitRules(say, isAdmin) })
  const values = form.getValues()
  const found = [
    useFoundSubject(values.first.kind, values.first.value),
    useFoundSubject(values.second.kind, values.second.value),
  ]
  const summaryOf = (entered: LimitValues): string => {
    const subjects = subjectsOf(entered).map(({ kind, value = '' }, index) => ({
      kind,
      value,
      name: found[index]?.name ?? value,
    }))
    const { measure } = entered
    const bound = { measure, window: windowOf(entered), hours: Number(entered.hours) || 1 }
    const amount = Number(entered.amount) > 0 ? amountText(measure, Number(entered.amount)) : '…'
    return say('summary', { who: whoText(subjects, texts), bound: boundText(bound, amount, texts) })
  }
  const save = useAction(
    (entered: LimitValues) => {
      const body = bodyOf(entered, summaryOf(entered))
      return limit === undefined ? call(create, { body }) : call(update, { params: { id: limit.id }, body })
    },
    { done: ({ name }) => say('saved', { name }), refresh: [list, standing] },
  )
  return (
    <FormDrawer
      title={say(limit === undefined ? 'createTitle' : 'editTitle')}
      subtitle={limit?.name}
      form={form}
      submitLabel={say('save')}
      width={width}
      onClose={onClose}
      onSubmit={save.submit}
    >
      <p className={classes.summary} aria-live="polite">
        {summaryOf(values)}
      </p>
      <FormPart title={say(isAdmin ? 'whoTitle' : 'whoOwn')}>
        {isAdmin && <p className="faint">{say('whoText')}</p>}
        <Subject form={form} place="first" />
        <Subject form={form} place="second" />
      </FormPart>
      <FormPart title={say('howMuchTitle')}>
        <Amount form={form} />
      </FormPart>
      <FormPart title={say('thenTitle')}>
        <NativeSelect
          label={say('action')}
          data={actionsFor(values).map((value) => ({ value, label: say(value) }))}
          {...form.getInputProps('action')}
        />
        {values.action === 'fallback' && (
          <FallbackModel
            value={values.fallbackModel}
            onChange={(model) => form.setFieldValue('fallbackModel', model)}
            error={form.errors.fallbackModel}
          />
        )}
        <TextInput
          label={say('tellAt')}
          description={say(isAdmin ? 'tellAtHint' : 'tellAtOwnHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          classNames={{ input: 'num' }}
          {...form.getInputProps('tellAt')}
        />
        {hasUsual(windowOf(values)) && (
          <Checkbox
            label={say('tellUnusual')}
            description={say('tellUnusualHint')}
            {...form.getInputProps('tellUnusual', { type: 'checkbox' })}
          />
        )}
        {isAdmin && (
          <Textarea
            label={say('alsoNotify')}
            description={say('alsoNotifyHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autosize
            minRows={1}
            maxRows={5}
            spellCheck={false}
            {...form.getInputProps('alsoNotify')}
          />
        )}
      </FormPart>
      <TextInput
        label={say('name')}
        description={say('nameHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={200}
        {...form.getInputProps('name')}
      />
    </FormDrawer>
  )
}
