import { Button, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { Facts } from '../../../components/display/facts.tsx'
import { useModelOf } from '../../../components/first-calls/calling-facts.ts'
import { FirstCalls } from '../../../components/first-calls/first-calls.tsx'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { QuotaInput, quotaPresets } from '../../../components/form/quota-input.tsx'
import { Sheet } from '../../../components/sheet.tsx'
import { calls, mostTags, neverExpires, type Organisation, type ProjectKey } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { useAction } from '../../../lib/query.ts'
import { readTags } from '../../../lib/text/cost-tags.ts'
import { useOrganisationMessages } from '../messages.ts'
import { managesKeys, usableProjects, usersOfTeam } from '../rights.ts'
import classes from './forms.module.css'
import { useOrganisationFormMessages } from './messages.ts'
import { nameRule } from './name-rule.ts'

const usualQuota = 500_000

/** A new key with calls to copy, or where the person whom it is for finds it. */
const MadeKey = ({ made, holder, onClose }: { made: ProjectKey; holder: string | undefined; onClose: () => void }) => {
  const say = useOrganisationMessages()
  const sayForm = useOrganisationFormMessages()
  const model = useModelOf(made)
  const key = `sk-${made.key}`
  return (
    <Sheet
      opened
      onClose={onClose}
      title={sayForm('keyMade')}
      subtitle={made.name}
      footer={
        <Button variant="filled" onClick={onClose} ml="auto">
          {say('done')}
        </Button>
      }
    >
      <div className={classes.link}>
        {holder === undefined ? (
          <>
            <p className="muted">{sayForm('keyMadeText')}</p>
            <CopyText text={key} name={made.name} secret />
            <FirstCalls model={model} apiKey={key} />
          </>
        ) : (
          <p>{sayForm('keyMadeForOther', { name: holder })}</p>
        )}
      </div>
    </Sheet>
  )
}

/** Makes a key of a project: for the reader, another person or a machine. The wallet of the organisation pays. */
export const KeyForm = ({ organisation, onClose }: { organisation: Organisation; onClose: () => void }) => {
  const say = useOrganisationMessages()
  const sayForm = useOrganisationFormMessages()
  const own = useSession()?.id ?? 0
  const [made, setMade] = useState<ProjectKey>()
  const { id, name: payer, members, teams } = organisation
  const projects = usableProjects(organisation, own)
  const form = useForm({
    initialValues: {
      name: '',
      project: String(projects[0]?.id ?? ''),
      holder: String(own),
      unlimited: true,
      quota: usualQuota,
      tags: '',
    },
    validate: {
      name: nameRule(say),
      tags: (text) => (readTags(text, mostTags) === undefined ? sayForm('tagsInvalid') : null),
    },
  })
  const create = useAction(calls.createProjectKey, { refresh: [calls.listProjectKeys, calls.getOrganisation] })
  const { unlimited, quota, project: chosen } = form.getValues()
  const teamOf = (project: string | null): number => projects.find((one) => String(one.id) === project)?.team_id ?? 0
  const teamId = teamOf(chosen)
  const othersIn = (team: number) => usersOfTeam(organisation, team).filter(({ user_id }) => user_id !== own)
  if (made) {
    const holder = members.find(({ user_id }) => user_id === made.member_id && user_id !== own)
    return <MadeKey made={made} holder={holder && (holder.display_name || holder.username)} onClose={onClose} />
  }
  return (
    <FormDrawer
      title={sayForm('keyTitle')}
      form={form}
      submitLabel={say('addKey')}
      onClose={onClose}
      stayOpen
      onSubmit={async ({ name, project, holder, tags, ...limit }) => {
        const body = {
          name: name.trim(),
          project_id: Number(project),
          member_id: Number(holder),
          unlimited_quota: limit.unlimited,
          remain_quota: limit.quota,
          expired_time: neverExpires,
          tags: readTags(tags, mostTags) ?? {},
        }
        setMade(await create.submit({ params: { id }, body }))
      }}
    >
      <Facts facts={[{ label: sayForm('payer'), value: payer }]} />
      <TextInput label={sayForm('keyName')} required data-autofocus {...form.getInputProps('name')} />
      <Select
        label={say('project')}
        description={sayForm('payerHint', { name: payer })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        data={projects.map((one) => {
          const team = teams.find((place) => place.id === one.team_id)?.name
          return { value: String(one.id), label: team ? `${one.name} · ${team}` : one.name }
        })}
        {...form.getInputProps('project')}
        onChange={(project) => {
          form.setFieldValue('project', project ?? '')
          const { holder } = form.getValues()
          const stays = holder === '0' || othersIn(teamOf(project)).some(({ user_id }) => String(user_id) === holder)
          if (!stays) form.setFieldValue('holder', String(own))
        }}
      />
      {managesKeys(organisation, own, teamId) && (
        <Select
          label={say('holder')}
          allowDeselect={false}
          data={[
            { value: String(own), label: sayForm('myself') },
            { value: '0', label: say('machine') },
            ...othersIn(teamId).map((one) => ({ value: String(one.user_id), label: one.display_name || one.username })),
          ]}
          {...form.getInputProps('holder')}
        />
      )}
      <Switch label={sayForm('unlimited')} {...form.getInputProps('unlimited', { type: 'checkbox' })} />
      {!unlimited && (
        <QuotaInput label={say('quotaLimit')} presets={quotaPresets} {...form.getInputProps('quota')} value={quota} />
      )}
      <Textarea
        label={say('tags')}
        description={sayForm('tagsHint', { most: mostTags })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('tags')}
      />
    </FormDrawer>
  )
}
