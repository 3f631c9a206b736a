import { Button, Skeleton, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { longestDisplayName } from '@tollgate/contract/accounts/account-rules'
import { GroupTag } from '../../components/display/group-tag.tsx'
import { StatusBadge } from '../../components/display/status-badge.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { UnsavedGuard } from '../../components/form/unsaved-guard.tsx'
import { Section } from '../../components/panel-section.tsx'
import { calls, role, type User } from '../../lib/api/contract.ts'
import { storedUser, storeUser } from '../../lib/api/session.ts'
import { useAction } from '../../lib/query.ts'
import { usePersonalMessages } from './messages.ts'
import classes from './personal.module.css'

const roleWords = new Map([
  [role.user as number, 'roleUser'],
  [role.admin as number, 'roleAdmin'],
  [role.root as number, 'roleRoot'],
] as const)

const RoleBadge = ({ value }: { value: number }) => {
  const say = usePersonalMessages()
  return (
    <StatusBadge tone={value >= role.admin ? 'info' : 'neutral'} label={say(roleWords.get(value) ?? 'roleUnknown')} />
  )
}

const NameForm = ({ user }: { user: User }) => {
  const say = usePersonalMessages()
  /** The server ignores an empty name, so the username replaces it. */
  const shown = (name: string): string => name.trim() || user.username
  const form = useForm({
    initialValues: { display_name: user.display_name },
    validate: {
      display_name: (name) => (name.trim().length > longestDisplayName ? say('displayNameLong') : null),
    },
  })
  const save = useAction(calls.updateSelf, {
    refresh: [calls.getSelf],
    done: say('saved'),
    onDone: () => {
      form.resetDirty()
      const kept = storedUser()
      if (kept) storeUser({ ...kept, display_name: shown(form.getValues().display_name) })
    },
  })
  return (
    <form
      className={classes.nameForm}
      onSubmit={form.onSubmit(({ display_name }) => void save.run({ body: { display_name: shown(display_name) } }))}
    >
      <TextInput
        label={say('displayName')}
        description={say('displayNameHint')}
        autoComplete="name"
        {...form.getInputProps('display_name')}
      />
      <Button type="submit" loading={save.busy} disabled={!form.isDirty()}>
        {say('save')}
      </Button>
      <UnsavedGuard dirty={form.isDirty()} />
    </form>
  )
}

/** The first letter of the name, large. */
const Avatar = ({ user }: { user: User }) => {
  const name = user.display_name || user.username
  return (
    <div className={classes.identity}>
      <span className={classes.avatar} aria-hidden="true">
        {[...name][0]?.toUpperCase()}
      </span>
      <span className={classes.names}>
        <strong className="cut">{name}</strong>
        <span className="faint cut">{user.username}</span>
      </span>
      <RoleBadge value={user.role} />
    </div>
  )
}

/** Owner of the account, with the real role. */
export const Profile = ({ user }: { user: User | undefined }) => {
  const say = usePersonalMessages()
  if (!user)
    return (
      <Section id="profile" title={say('profile')}>
        <Skeleton h={220} />
      </Section>
    )
  return (
    <Section id="profile" title={say('profile')}>
      <Avatar user={user} />
      <dl className={classes.facts}>
        <dt>{say('id')}</dt>
        <dd className="num">{user.id}</dd>
        <dt>{say('group')}</dt>
        <dd>
          <GroupTag name={user.group} />
        </dd>
        <dt>{say('email')}</dt>
        <dd>{user.email || <span className="faint">{say('unbound')}</span>}</dd>
        <dt>{say('created')}</dt>
        <dd>
          <TimeText at={user.created_time} />
        </dd>
      </dl>
      <NameForm key={user.display_name} user={user} />
    </Section>
  )
}
