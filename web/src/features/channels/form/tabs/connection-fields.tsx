import { PasswordInput, SegmentedControl, Switch, Textarea, TextInput } from '@mantine/core'
import { textIn, useLanguage } from '../../../../lib/i18n.ts'
import { ChangedField } from '../changed-field.tsx'
import { fieldOf, keysOf, vertexType } from '../fields.ts'
import classes from '../form.module.css'
import { useChannelFormMessages } from '../form-messages.ts'
import { useChannelForm } from '../form-parts.tsx'

/** The address, with a hint where people paste one that already has the version. */
export const AddressField = () => {
  const { form, type } = useChannelForm()
  const say = useChannelFormMessages()
  const language = useLanguage()
  const own = fieldOf(type, 'base_url')
  const { baseUrl } = form.getValues()
  const takesVersion = own?.placeholder?.endsWith('/v1') === true
  const versioned = !takesVersion && /\/v1\/*$/.test(baseUrl.trim())
  const usual = type?.base_url ? say('baseUrlDefault', { url: type.base_url }) : say('baseUrlHint')
  const label = own ? textIn(own.label, language) : say('baseUrl')
  return (
    <ChangedField name="baseUrl" label={label}>
      <TextInput
        label={label}
        description={own ? undefined : usual}
        placeholder={own?.placeholder ?? type?.base_url}
        withAsterisk={own?.required ?? false}
        inputMode="url"
        spellCheck={false}
        {...form.getInputProps('baseUrl')}
      />
      {versioned && (
        <p className={classes.warning} role="status">
          {say('v1Warning')}
          <button
            type="button"
            className="text-button"
            onClick={() => form.setFieldValue('baseUrl', baseUrl.trim().replace(/\/v1\/*$/, ''))}
          >
            {say('removeV1')}
          </button>
        </p>
      )}
    </ChangedField>
  )
}

/** Note about a channel type, shown before a channel of it is made. */
export const TypeNote = () => {
  const { type } = useChannelForm()
  const language = useLanguage()
  return type?.note ? (
    <p className={classes.note} role="note">
      {textIn(type.note, language)}
    </p>
  ) : null
}

/** The type's own field, stored in `other`: an API version, a region, an account. */
export const OtherField = () => {
  const { form, type } = useChannelForm()
  const language = useLanguage()
  const field = fieldOf(type, 'other')
  if (!field) return null
  const label = textIn(field.label, language)
  return (
    <ChangedField name="other" label={label}>
      <Textarea
        label={label}
        placeholder={field.placeholder}
        withAsterisk={field.required ?? false}
        autosize
        minRows={1}
        maxRows={8}
        spellCheck={false}
        {...form.getInputProps('other')}
      />
    </ChangedField>
  )
}

/** The account that calls of the type are made in. */
export const OrganizationField = () => {
  const { form, type } = useChannelForm()
  const language = useLanguage()
  const field = fieldOf(type, 'openai_organization')
  if (!field) return null
  const label = textIn(field.label, language)
  return (
    <ChangedField name="organization" label={label}>
      <TextInput
        label={label}
        placeholder={field.placeholder}
        withAsterisk={field.required ?? false}
        {...form.getInputProps('organization')}
      />
    </ChangedField>
  )
}

/** One key, or when creating one per line. `hint` shows the ends of the stored one. */
export const KeyField = ({ hint }: { hint: string | undefined }) => {
  const { form, type } = useChannelForm()
  const say = useChannelFormMessages()
  const language = useLanguage()
  const { batch, key, together } = form.getValues()
  const creating = hint === undefined
  const isDocument = type?.type === vertexType
  const common = {
    label: say('key'),
    placeholder: type ? textIn(type.key_hint, language) : '',
    description: creating ? undefined : say(hint.includes(' ') ? 'keyReplace' : 'keyKeep', { hint }),
    withAsterisk: creating && type?.key_optional !== true,
    ...form.getInputProps('key'),
  }
  return (
    <>
      {creating && !isDocument && (
        <Switch
          label={say('batch')}
          description={
            batch ? say(together ? 'keyCountTogether' : 'keyCount', { count: keysOf(key).length }) : say('batchHint')
          }
          {...form.getInputProps('batch', { type: 'checkbox' })}
        />
      )}
      {creating && batch && !isDocument && (
        <SegmentedControl
          fullWidth
          aria-label={say('batchInto')}
          data={[
            { value: 'each', label: say('batchEach') },
            { value: 'together', label: say('batchTogether') },
          ]}
          value={together ? 'together' : 'each'}
          onChange={(value) => form.setFieldValue('together', value === 'together')}
        />
      )}
      <ChangedField name="key" label={say('key')}>
        {batch || isDocument ? (
          <Textarea
            {...common}
            autosize
            minRows={isDocument ? 10 : 4}
            maxRows={16}
            spellCheck={false}
            classNames={{ input: 'mono' }}
          />
        ) : (
          <PasswordInput {...common} autoComplete="new-password" classNames={{ innerInput: 'mono' }} />
        )}
      </ChangedField>
    </>
  )
}
