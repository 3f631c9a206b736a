import { Button, MultiSelect, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { ErrorState } from '../../../components/states.tsx'
import { calls, type Organisation, type PlacedFence } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { useOrganisationMessages } from '../messages.ts'
import classes from './lists.module.css'

type Place = Pick<PlacedFence, 'subject' | 'subject_id'> & { readonly name: string }

const mostChannels = 100

const Fence = ({ id, place, fence }: { id: number; place: Place; fence: PlacedFence | undefined }) => {
  const say = useOrganisationMessages()
  const [ids, setIds] = useState((fence?.channels ?? []).map(String))
  const [tags, setTags] = useState(fence?.tags ?? [])
  const known = useEndpoint(calls.browseChannels, { query: { p: 1, page_size: mostChannels } })
  const save = useAction(calls.setChannelFence, { done: say('saved'), refresh: [calls.listChannelFences] })
  const channels = known.data?.items ?? []
  const named = channels.map((channel) => ({ value: String(channel.id), label: `${channel.name} #${channel.id}` }))
  const others = ids.filter((one) => !named.some(({ value }) => value === one))
  const { subject, subject_id } = place
  return (
    <li>
      <span className="strong">{place.name}</span>
      <MultiSelect
        aria-label={`${place.name}: ${say('channels')}`}
        placeholder={ids.length + tags.length === 0 ? say('allChannels') : say('channels')}
        data={[...named, ...others.map((value) => ({ value, label: `#${value}` }))]}
        searchable
        clearable
        value={ids}
        onChange={setIds}
      />
      <TagsInput
        aria-label={`${place.name}: ${say('channelTags')}`}
        placeholder={say('channelTags')}
        data={[...new Set(channels.map(({ tag }) => tag ?? '').filter((tag) => tag !== ''))]}
        value={tags}
        onChange={setTags}
      />
      <Button
        loading={save.busy}
        onClick={() =>
          void save.run({ params: { id }, body: { subject, subject_id, channels: ids.map(Number), tags } })
        }
      >
        {say('saveFence')}
      </Button>
    </li>
  )
}

/** The channels that keys of an organisation, its teams and projects may use; administrators of the site alone see this. */
export const ChannelFences = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const { id, name, teams, projects } = organisation
  const fences = useEndpoint(calls.listChannelFences, { params: { id } })
  if (fences.error && !fences.data) return <ErrorState error={fences.error} onRetry={() => void fences.refetch()} />
  if (!fences.data) return null
  const places: readonly Place[] = [
    { subject: 'organisation', subject_id: 0, name },
    ...teams.map((team) => ({ subject: 'team' as const, subject_id: team.id, name: `${say('team')}: ${team.name}` })),
    ...projects.map((one) => ({
      subject: 'project' as const,
      subject_id: one.id,
      name: `${say('project')}: ${one.name}`,
    })),
  ]
  const fenceOf = (place: Place): PlacedFence | undefined =>
    fences.data?.find((fence) => fence.subject === place.subject && fence.subject_id === place.subject_id)
  return (
    <section className={`panel ${classes.fences}`} aria-label={say('fences')}>
      <h2 className={classes.head}>{say('fences')}</h2>
      <p className="muted">{say('fencesText')}</p>
      <ul>
        {places.map((place) => (
          <Fence key={`${place.subject} ${place.subject_id}`} id={id} place={place} fence={fenceOf(place)} />
        ))}
      </ul>
    </section>
  )
}
