import { Button, MultiSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { QuotaInput, quotaPresets } from '../../components/form/quota-input.tsx'
import { ScreenParts } from '../../components/parts/screen-parts.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, mostTags, type Token } from '../../lib/api/contract.ts'
import { storedUser } from '../../lib/api/session.ts'
import { useFresh } from '../../lib/loading/fresh.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { ExpiryField } from './expiry-field.tsx'
import { bodyOf, changesOf, countPresets, newToken, type TokenValues, tokenRules, valuesOf } from './fields.ts'
import { GroupSelect } from './group-select.tsx'
import { KeyFacts } from './keys/key-facts.tsx'
import { SuccessSheet } from './keys/success-sheet.tsx'
import { useTokenMessages } from './messages.ts'
import { PayerSelect, readPayer } from './projects/payer-select.tsx'
import classes from './tokens.module.css'

const Fields = ({ form, creating }: { form: ReturnType<typeof useTokenForm>; creating: boolean }) => {
  const say = useTokenMessages()
  const { data: models } = useEndpoint(calls.getOwnModels)
  const values = form.getValues()
  return (
    <>
      <TextInput
        label={say('nameLabel')}
        placeholder={say('namePlaceholder')}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      {creating && <PayerSelect value={values.payer} onChange={(payer) => form.setFieldValue('payer', payer)} />}
      <ExpiryField {...form.getInputProps('expiry')} value={values.expiry} />
      <p className={classes.note}>{say('quotaBanner')}</p>
      <Switch label={say('unlimitedSwitch')} {...form.getInputProps('unlimited', { type: 'checkbox' })} />
      <QuotaInput
        label={say('quota')}
        presets={quotaPresets}
        disabled={values.unlimited}
        {...form.getInputProps('quota')}
        value={values.quota}
      />
      {creating && values.payer === '' && (
        <div>
          <NumberInput
            label={say('count')}
            description={form.errors.count ? undefined : say('countHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={1}
            allowDecimal={false}
            allowNegative={false}
            {...form.getInputProps('count')}
          />
          <fieldset className={classes.quick} aria-label={say('count')}>
            {countPresets.map((count) => (
              <Button key={count} size="compact-xs" onClick={() => form.setFieldValue('count', count)}>
                {say('countPreset', { count })}
              </Button>
            ))}
          </fieldset>
        </div>
      )}
      {values.payer === '' && <GroupSelect {...form.getInputProps('group')} value={values.group} />}
      <Switch label={say('limits')} {...form.getInputProps('limited', { type: 'checkbox' })} />
      {values.limited && (
        <MultiSelect
          label={say('models')}
          placeholder={say('modelsPlaceholder')}
          nothingFoundMessage={say('noModels')}
          data={[...new Set([...(models ?? []), ...values.models])]}
          searchable
          clearable
          hidePickedOptions
          limit={200}
          {...form.getInputProps('models')}
        />
      )}
      <Textarea
        label={say('ips')}
        placeholder={say('ipsPlaceholder')}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('ips')}
      />
      <Textarea
        label={say('tags')}
        description={say('tagsHint', { most: mostTags })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('tags')}
      />
      <Switch
        label={say('includeCost')}
        description={say('includeCostHint')}
        {...form.getInputProps('includeCost', { type: 'checkbox' })}
      />
      <ScreenParts
        place="key form"
        flag={{ value: values.deadlineOnly, set: (value) => form.setFieldValue('deadlineOnly', value) }}
      />
    </>
  )
}

const useTokenForm = (initialValues: TokenValues, creating: boolean) => {
  const say = useTokenMessages()
  return useForm({ initialValues, validate: tokenRules(say, creating), validateInputOnBlur: true })
}

const createAll = async ({ count, ...values }: TokenValues): Promise<readonly Token[]> => {
  const body = bodyOf({ ...values, count })
  const payer = readPayer(values.payer)
  if (payer !== undefined) {
    const project = { ...body, group: '', project_id: payer.project, member_id: storedUser()?.id ?? 0 }
    return [await call(calls.createProjectKey, { params: { id: payer.organisation }, body: project })]
  }
  if (count === 1) return [await call(calls.createToken, { body })]
  return call(calls.createTokens, { body: { ...body, count } })
}

/** Creates one key or several, then shows them with instructions for their use. */
export const CreateToken = ({ onClose }: { onClose: () => void }) => {
  const say = useTokenMessages()
  const form = useTokenForm(newToken, true)
  const [created, setCreated] = useState<readonly Token[]>()
  const create = useAction(createAll, {
    done: say('createdDone'),
    refresh: [calls.browseTokens, calls.getOwnProjects],
    onDone: (tokens) => setCreated(tokens),
  })
  if (created) return <SuccessSheet tokens={created} onClose={onClose} />
  return (
    <FormDrawer title={say('createTitle')} form={form} onClose={onClose} stayOpen onSubmit={create.submit}>
      <Fields form={form} creating />
    </FormDrawer>
  )
}

const EditFields = ({ token, onClose }: { token: Token; onClose: () => void }) => {
  const say = useTokenMessages()
  const update = useAction(calls.updateToken, { done: say('updated'), refresh: [calls.browseTokens, calls.getToken] })
  const form = useTokenForm(valuesOf(token), false)
  return (
    <FormDrawer
      title={say('editTitle')}
      subtitle={token.name}
      form={form}
      onClose={onClose}
      onSubmit={(values) => update.submit({ body: { ...changesOf(token, values), id: token.id } })}
    >
      <KeyFacts token={token} />
      <Fields form={form} creating={false} />
    </FormDrawer>
  )
}

/** Changes a key. It is read again when the sheet opens: the balance may have moved since. */
export const EditToken = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const say = useTokenMessages()
  const token = useFresh(calls.getToken, { params: { id } })
  if (token.data) return <EditFields token={token.data} onClose={onClose} />
  return (
    <Sheet
      opened
      title={say('editTitle')}
      onClose={onClose}
      loading={!token.error}
      error={token.error}
      onRetry={() => void token.refetch()}
    />
  )
}
