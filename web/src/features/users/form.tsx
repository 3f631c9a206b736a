import { PasswordInput, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { EmptyState } from '../../components/states.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, role, type User } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { mayWrite } from '../../lib/api/staff.ts'
import { useFresh } from '../../lib/loading/fresh.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { newFormId } from '../../lib/submit.ts'
import { typedOver } from '../../lib/text/select-text.ts'
import { aboutUsers } from './about-users.ts'
import { isCancelled } from './badges.tsx'
import { changeOf, permissionsChange, type UserValues, userRules, valuesOf } from './fields.ts'
import { useUserMessages } from './messages.ts'
import { PermissionFields } from './permissions/permission-fields.tsx'
import { QuotaAdjust } from './quota-adjust.tsx'
import classes from './users.module.css'

const Bindings = ({ user }: { user: User }) => {
  const say = useUserMessages()
  const bindings = [
    [say('github'), user.github_id],
    [say('oidc'), user.oidc_id],
    [say('wechat'), user.wechat_id],
    [say('email'), user.email],
    [say('telegram'), user.telegram_id],
    [say('linuxdo'), user.linux_do_id],
  ] as const
  return (
    <>
      <h3 className={classes.divider}>{say('readOnly')}</h3>
      <dl className={classes.readOnly}>
        {bindings.map(([label, id]) => (
          <div key={label} style={{ display: 'contents' }}>
            <dt>{label}</dt>
            <dd>{id || <span className="faint">{say('notBound')}</span>}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Permissions come last: they ask who is there, and what was saved before stays saved. */
const save = async (user: User, values: UserValues, formId: string): Promise<void> => {
  await call(calls.updateUser, { body: changeOf(user, values, formId) })
  const permissions = permissionsChange(user, values)
  if (permissions) await call(calls.setPermissions, permissions)
}

const EditFields = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const say = useUserMessages()
  const viewer = useSession()
  const mayLimit = viewer?.role === role.root && user.role === role.admin
  const update = useAction(save, { done: say('updated'), refresh: aboutUsers })
  const { data: groups } = useEndpoint(calls.listGroups)
  const [formId] = useState(newFormId)
  const form = useForm({ initialValues: valuesOf(user), validate: userRules(say, user.quota) })
  return (
    <FormDrawer
      title={say('editTitle')}
      subtitle={`${user.username} · #${user.id}`}
      form={form}
      onClose={onClose}
      onSubmit={(values) => update.submit(user, values, formId)}
    >
      <TextInput label={say('username')} autoComplete="off" data-autofocus {...form.getInputProps('username')} />
      <TextInput label={say('displayName')} autoComplete="off" {...form.getInputProps('displayName')} />
      <PasswordInput
        label={say('password')}
        description={say('passwordKeep')}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <Select
        label={say('group')}
        description={say('groupHint')}
        data={[...new Set([...(groups ?? []), user.group])]}
        searchable
        {...form.getInputProps('group')}
        {...typedOver}
      />
      {mayLimit && (
        <PermissionFields
          value={form.getValues().permissions}
          onChange={(value) => form.setFieldValue('permissions', value)}
        />
      )}
      {mayWrite(viewer, 'billing') && (
        <QuotaAdjust
          balance={user.quota}
          delta={form.getValues().delta}
          deltaProps={form.getInputProps('delta')}
          reasonProps={form.getInputProps('reason')}
        />
      )}
      <Bindings user={user} />
    </FormDrawer>
  )
}

/** Changes a user. The balance is read anew when the sheet opens: it moves with every request. */
export const EditUser = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const say = useUserMessages()
  const user = useFresh(calls.getUser, { params: { id } })
  const fresh = user.data
  if (fresh && !isCancelled(fresh)) return <EditFields user={fresh} onClose={onClose} />
  return (
    <Sheet
      opened
      title={say('editTitle')}
      onClose={onClose}
      loading={!user.error && !fresh}
      error={user.error}
      onRetry={() => void user.refetch()}
    >
      {fresh && (
        <>
          <EmptyState icon="user" title={fresh.username} text={say('isCancelled')} />
          <Bindings user={fresh} />
        </>
      )}
    </Sheet>
  )
}
