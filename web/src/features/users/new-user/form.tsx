import { Checkbox, PasswordInput, SegmentedControl, Select, Switch, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { FieldPair, FormPart } from '../../../components/form/form-part.tsx'
import { QuotaInput, quotaPresets } from '../../../components/form/quota-input.tsx'
import { type addUser, calls, type DataOf, invitationDays, role } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { mayWrite, useIsStaff } from '../../../lib/api/staff.ts'
import { notifyDone } from '../../../lib/notify.tsx'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { errorText } from '../../../lib/text/error-text.ts'
import { typedOver } from '../../../lib/text/select-text.ts'
import { useTimeZone, zoneName } from '../../../lib/time/time-zone.ts'
import { aboutUsers } from '../about-users.ts'
import { useUserMessages } from '../messages.ts'
import classes from '../users.module.css'
import { AddedUserSheet } from './added.tsx'
import { bodyOf, type Entry, fieldOf, isEmail, type NewUserValues, newUser, newUserRules } from './fields.ts'
import { useNewUserMessages } from './messages.ts'

type Form = UseFormReturnType<NewUserValues>

const Money = ({ form, usual }: { form: Form; usual: number }) => {
  const say = useNewUserMessages()
  const viewer = useSession()
  const zone = zoneName(useTimeZone())
  const values = form.getValues()
  const balance = values.quota ?? usual
  return (
    <>
      {mayWrite(viewer, 'billing') && (
        <QuotaInput
          label={say('startingBalance')}
          value={balance}
          onChange={(quota) => form.setFieldValue('quota', quota)}
          presets={quotaPresets}
        />
      )}
      {mayWrite(viewer, 'billing') && balance === 0 && (
        <p className={classes.note} role="note">
          {say('noBalance')}
        </p>
      )}
      {mayWrite(viewer, 'limits') && (
        <Switch
          label={say('budgetSwitch')}
          description={say('budgetHint', { zone })}
          {...form.getInputProps('isBudgeted', { type: 'checkbox' })}
        />
      )}
      {values.isBudgeted && (
        <QuotaInput
          label={say('budget')}
          presets={quotaPresets}
          {...form.getInputProps('budget')}
          value={values.budget}
        />
      )}
    </>
  )
}

/** How the user gets in, and what that comes to. */
const EntryFields = ({ form, sendsMail }: { form: Form; sendsMail: boolean }) => {
  const say = useNewUserMessages()
  const sayUser = useUserMessages()
  const { entry, login } = form.getValues()
  const invitationHint = !isEmail(login) ? 'invitationByHand' : sendsMail ? 'invitationHint' : 'noMail'
  return (
    <FormPart title={say('entry')}>
      <SegmentedControl
        fullWidth
        aria-label={say('entry')}
        value={entry}
        onChange={(value) => form.setFieldValue('entry', value as Entry)}
        data={(['invitation', 'key', 'password'] as const).map((value) => ({ value, label: say(value) }))}
      />
      {entry === 'invitation' && <p className="muted">{say(invitationHint, { days: invitationDays })}</p>}
      {entry === 'key' && <p className="muted">{say('keyHint')}</p>}
      {entry === 'password' && (
        <PasswordInput
          label={sayUser('password')}
          description={sayUser('passwordHint')}
          required
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
      )}
    </FormPart>
  )
}

const useNewUserForm = (): Form => {
  const say = useNewUserMessages()
  const sayUser = useUserMessages()
  return useForm({ initialValues: newUser, validate: newUserRules(say, sayUser) })
}

/** Adds a user who can call: account, money and a way in, all of it in one call. */
export const CreateUser = ({ onClose }: { onClose: () => void }) => {
  const say = useNewUserMessages()
  const sayUser = useUserMessages()
  const viewer = useSession()
  const zone = zoneName(useTimeZone())
  const maySeeOptions = useIsStaff('settings')
  const { data: groups } = useEndpoint(calls.listGroups)
  const { data: options } = useEndpoint(calls.listOptions, {}, { enabled: maySeeOptions })
  const option = (name: string): string | undefined => options?.find(({ key }) => key === name)?.value
  const create = useAction(calls.addUser, { refresh: [...aboutUsers, calls.listLimits] })
  const form = useNewUserForm()
  const [added, setAdded] = useState<DataOf<typeof addUser>>()
  const { login, entry } = form.getValues()

  const add = async (values: NewUserValues): Promise<void> => {
    const made = await create.submit({ body: bodyOf(values, zone) }).catch((error: unknown) => {
      const field = fieldOf(error)
      if (field) form.setFieldError(field, errorText(error))
      throw error
    })
    notifyDone(say('added'))
    if (values.entry !== 'password') setAdded(made)
  }
  if (added) return <AddedUserSheet added={added} email={isEmail(login) ? login.trim() : ''} onClose={onClose} />
  return (
    <FormDrawer
      title={say('title')}
      form={form}
      submitLabel={say('submit')}
      onClose={onClose}
      onSubmit={add}
      stayOpen={entry !== 'password'}
    >
      <TextInput
        label={say('login')}
        description={isEmail(login) ? say('fromEmail') : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('login')}
      />
      <FieldPair>
        <TextInput label={sayUser('displayName')} autoComplete="off" {...form.getInputProps('displayName')} />
        <Select
          label={sayUser('group')}
          data={groups ?? [newUser.group]}
          searchable
          {...form.getInputProps('group')}
          {...typedOver}
        />
      </FieldPair>
      {(viewer?.role ?? 0) > role.admin && (
        <Checkbox label={sayUser('role10')} {...form.getInputProps('isAdmin', { type: 'checkbox' })} />
      )}
      <Money form={form} usual={Number(option('QuotaForNewUser') ?? 0)} />
      <EntryFields form={form} sendsMail={option('SMTPServer') !== ''} />
    </FormDrawer>
  )
}
