import { Button, NativeSelect, PasswordInput, Switch, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, type IdentityProvider, type TestedProvider } from '../../lib/api/contract.ts'
import { useAction } from '../../lib/query.ts'
import { errorText } from '../../lib/text/error-text.ts'
import { formatDateTime } from '../../lib/text/format.ts'
import { Addresses } from './addresses.tsx'
import { bodyOf, connectionOf, type ProviderValues, presets, presetValues, providerRules } from './fields.ts'
import classes from './identity-providers.module.css'
import { useProviderMessages } from './messages.ts'
import { Rules } from './rules.tsx'

type Form = UseFormReturnType<ProviderValues>
const width = 640
/** Fields side by side stay on one line whatever their hints are. */
const hintBelow = { inputWrapperOrder: ['label', 'input', 'description', 'error'] } as const satisfies Pick<
  TextInputProps,
  'inputWrapperOrder'
>

const What = ({ form, isNew }: { form: Form; isNew: boolean }) => {
  const say = useProviderMessages()
  return (
    <fieldset className={classes.part}>
      <legend>{say('whatTitle')}</legend>
      {isNew && (
        <NativeSelect
          label={say('preset')}
          data={presets.map((value) => ({ value, label: say(`preset_${value}`) }))}
          value={form.getValues().preset}
          onChange={(event) => {
            const preset = presets.find((one) => one === event.currentTarget.value) ?? 'oidc'
            form.setValues(presetValues(preset))
          }}
        />
      )}
      <div className={classes.pair}>
        <TextInput
          {...hintBelow}
          label={say('name')}
          description={say('nameHint')}
          required
          {...form.getInputProps('name')}
        />
        <TextInput
          {...hintBelow}
          label={say('slug')}
          description={say('slugHint')}
          required
          classNames={{ input: 'mono' }}
          {...form.getInputProps('slug')}
        />
      </div>
      <Switch label={say('enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </fieldset>
  )
}

const OidcFields = ({ form, hasSecret }: { form: Form; hasSecret: boolean }) => {
  const say = useProviderMessages()
  const isMicrosoft = form.getValues().issuer.includes('TENANT')
  return (
    <>
      <TextInput
        label={say('issuer')}
        description={say(isMicrosoft ? 'tenantHint' : 'issuerHint')}
        required
        {...form.getInputProps('issuer')}
      />
      <div className={classes.pair}>
        <TextInput label={say('clientId')} required autoComplete="off" {...form.getInputProps('clientId')} />
        <PasswordInput
          label={say('clientSecret')}
          placeholder={hasSecret ? say('secretKept') : ''}
          autoComplete="new-password"
          {...form.getInputProps('clientSecret')}
        />
      </div>
      <div className={classes.pair}>
        <TextInput label={say('scopes')} {...form.getInputProps('scopes')} />
        <TextInput
          {...hintBelow}
          label={say('groupsClaim')}
          description={say('groupsHint')}
          {...form.getInputProps('groupsClaim')}
        />
      </div>
    </>
  )
}

const SamlFields = ({ form }: { form: Form }) => {
  const say = useProviderMessages()
  return (
    <>
      <TextInput label={say('entityId')} required {...form.getInputProps('issuer')} />
      <TextInput label={say('signInUrl')} required {...form.getInputProps('signInUrl')} />
      <Textarea
        label={say('certificates')}
        description={say('certificatesHint')}
        required
        rows={4}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('certificates')}
      />
      <div className={classes.pair}>
        <TextInput
          {...hintBelow}
          label={say('emailAttribute')}
          description={say('emailAttributeHint')}
          {...form.getInputProps('emailAttribute')}
        />
        <TextInput label={say('nameAttribute')} {...form.getInputProps('nameAttribute')} />
        <TextInput label={say('groupsAttribute')} {...form.getInputProps('groupsAttribute')} />
      </div>
      <Switch
        label={say('idpInitiated')}
        description={say('idpInitiatedHint')}
        {...form.getInputProps('idpInitiated', { type: 'checkbox' })}
      />
    </>
  )
}

/** Asks the provider what it says about itself, or reads the certificates. */
const Test = ({ form }: { form: Form }) => {
  const say = useProviderMessages()
  const [found, setFound] = useState<TestedProvider>()
  const [problem, setProblem] = useState<string>()
  const test = useAction(calls.testIdentityProvider)
  const run = (): void => {
    setFound(undefined)
    setProblem(undefined)
    test
      .submit({ body: { connection: connectionOf(form.getValues()) } })
      .then(setFound, (error: unknown) => setProblem(errorText(error)))
  }
  const facts = found && [
    found.keys === 0 ? say('testNoKeys', found) : say('testFound', found),
    ...(found.expires_time === 0 ? [] : [say('testUntil', { time: formatDateTime(found.expires_time) })]),
  ]
  return (
    <div className={classes.pair}>
      <div>
        <Button loading={test.busy} onClick={run}>
          {say('test')}
        </Button>
      </div>
      <p role="status" className={classes.tested}>
        {problem ?? facts?.join(' · ')}
      </p>
    </div>
  )
}

const People = ({ form }: { form: Form }) => {
  const say = useProviderMessages()
  return (
    <fieldset className={classes.part}>
      <legend>{say('peopleTitle')}</legend>
      <Switch
        label={say('signUp')}
        description={say('signUpHint')}
        {...form.getInputProps('signUp', { type: 'checkbox' })}
      />
      <TextInput
        label={say('domains')}
        description={say('domainsHint')}
        placeholder="example.com"
        {...form.getInputProps('domains')}
      />
      <Switch
        label={say('enforce')}
        description={say('enforceHint')}
        {...form.getInputProps('enforced', { type: 'checkbox' })}
      />
    </fieldset>
  )
}

interface FormProps {
  /** undefined for a new one. */
  readonly provider: IdentityProvider | undefined
  readonly initial: ProviderValues
  readonly onClose: () => void
}

/** Adds an identity provider of the site, or changes one. */
export const ProviderForm = ({ provider, initial, onClose }: FormProps) => {
  const say = useProviderMessages()
  const form = useForm<ProviderValues>({ initialValues: initial, validate: providerRules(say) })
  const { preset, slug } = form.getValues()
  const save = useAction(
    (entered: ProviderValues) => {
      const body = bodyOf(entered)
      return provider === undefined
        ? call(calls.createIdentityProvider, { body })
        : call(calls.updateIdentityProvider, { params: { id: provider.id }, body })
    },
    { done: ({ name }) => say('saved', { name }), refresh: [calls.listIdentityProviders] },
  )
  return (
    <FormDrawer
      title={say(provider === undefined ? 'createTitle' : 'editTitle')}
      subtitle={provider?.name}
      form={form}
      submitLabel={say('save')}
      width={width}
      onClose={onClose}
      onSubmit={save.submit}
    >
      <What form={form} isNew={provider === undefined} />
      <Addresses preset={preset} slug={slug} />
      <fieldset className={classes.part}>
        <legend>{say('connectTitle')}</legend>
        {preset === 'saml' ? (
          <SamlFields form={form} />
        ) : (
          <OidcFields form={form} hasSecret={provider?.has_secret === true} />
        )}
        <Test form={form} />
      </fieldset>
      <People form={form} />
      <Rules form={form} />
    </FormDrawer>
  )
}
