import { Button, PasswordInput, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { type ChannelType, calls } from '../../lib/api/contract.ts'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { useAction } from '../../lib/query.ts'
import { Icon } from '../display/icon.tsx'
import { Failure } from '../form/failure.tsx'
import { useChannelTypes } from '../providers/channel-types.ts'
import { isKey, typeOfKey } from '../providers/match-provider.ts'
import { useProviderMessages } from '../providers/messages.ts'
import { ProviderGallery } from '../providers/provider-gallery.tsx'
import { ErrorState } from '../states.tsx'
import classes from './guide.module.css'
import { GuideContent } from './guide-content.tsx'
import { useGuideMessages } from './guide-messages.ts'

interface Typed {
  readonly name: string
  readonly address: string
  readonly other: string
  readonly key: string
}

const nothing: Typed = { name: '', address: '', other: '', key: '' }

/** Creates the channel with these models and answers how many there are. */
const create = async (type: ChannelType, typed: Typed, models: readonly string[]): Promise<number> => {
  await call(calls.createChannel, {
    body: {
      type: type.type,
      name: typed.name.trim(),
      key: typed.key.trim(),
      base_url: typed.address.trim().replace(/\/+$/, ''),
      other: typed.other.trim(),
      group: 'default',
      models: models.join(','),
    },
  })
  return models.length
}

/** Reads the provider's models with the key and address that were typed. */
const read = async (type: ChannelType, typed: Typed): Promise<readonly string[]> => {
  if (!type.lists_models) return type.models
  const base_url = typed.address.trim().replace(/\/+$/, '')
  const [first = ''] = typed.key.trim().split('\n')
  return call(calls.fetchModels, { body: { type: type.type, key: first.trim(), base_url } })
}

/** The fields of a provider and the button that reads its models and adds the channel. */
const Fields = (props: { type: ChannelType; typed: Typed; onType: (change: Partial<Typed>) => void }) => {
  const { type, typed, onType } = props
  const say = useGuideMessages()
  const language = useLanguage()
  const [problem, setProblem] = useState<unknown>()
  const [unread, setUnread] = useState(false)
  const label = textIn(type.label, language)
  const name = typed.name || label
  const ownAddress = type.fields.find(({ column }) => column === 'base_url')
  const other = type.fields.find(({ column, required }) => column === 'other' && required === true)
  const connect = useAction(
    async (usual: boolean): Promise<number> => {
      const models = usual ? type.models : await read(type, typed)
      if (models.length === 0) throw new Error(say('noModels'))
      return create(type, { ...typed, name }, models)
    },
    {
      done: (count) => say('connected', { name, count }),
      refresh: [calls.browseChannels, calls.listUnpricedModels, calls.getOwnModels, calls.getOffer],
    },
  )
  const submit = async (usual: boolean): Promise<void> => {
    const missing =
      (ownAddress?.required && typed.address.trim() === '' && textIn(ownAddress.label, language)) ||
      (other && typed.other.trim() === '' && textIn(other.label, language))
    if (missing) return setProblem(new Error(say('needsField', { field: missing })))
    if (typed.key.trim() === '') return setProblem(new Error(say('needsKey')))
    setProblem(undefined)
    await connect.submit(usual).catch((error: unknown) => {
      setProblem(error)
      setUnread(true)
    })
  }
  const text = (field: keyof Typed) => ({
    value: typed[field],
    onChange: (event: { currentTarget: { value: string } }) => onType({ [field]: event.currentTarget.value }),
  })
  return (
    <form
      className={classes.connect}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit(false)
      }}
    >
      <div className={classes.fields}>
        <TextInput label={say('name')} autoComplete="off" placeholder={label} {...text('name')} />
        <TextInput
          label={ownAddress?.required ? textIn(ownAddress.label, language) : say('address')}
          placeholder={ownAddress?.placeholder ?? (type.base_url || say('addressUsual'))}
          inputMode="url"
          spellCheck={false}
          {...text('address')}
        />
        {other && (
          <TextInput
            label={textIn(other.label, language)}
            placeholder={other.placeholder}
            spellCheck={false}
            {...text('other')}
          />
        )}
        <PasswordInput
          className={classes.wide}
          label={say('keyField')}
          placeholder={textIn(type.key_hint, language)}
          autoComplete="new-password"
          classNames={{ innerInput: 'mono' }}
          {...text('key')}
        />
        <Button type="submit" variant="filled" loading={connect.busy}>
          {say('connect')}
        </Button>
      </div>
      {problem !== undefined && <Failure error={problem} />}
      <p className="faint">
        {say('connectHint')}{' '}
        <Link to="/channel/add" className="text-button">
          {say('form')}
        </Link>
      </p>
      {unread && type.models.length > 0 && (
        <button type="button" className="text-button" onClick={() => void submit(true)}>
          {say('usual', { count: type.models.length })}
        </button>
      )}
    </form>
  )
}

/** The first step of an operator: a provider, found by name, model or pasted key, and the key for it. */
export const ConnectChannel = () => {
  const say = useGuideMessages()
  const sayProvider = useProviderMessages()
  const language = useLanguage()
  const { types, error, retry } = useChannelTypes()
  const [search, setSearch] = useState('')
  const [number, setNumber] = useState<number>()
  const [typed, setTyped] = useState(nothing)
  const [recognised, setRecognised] = useState(false)
  const chosen = types.find((type) => type.type === number)
  const find = (text: string): void => {
    if (!isKey(text)) {
      setSearch(text)
      return
    }
    // A pasted key chooses its provider and goes where it belongs.
    setSearch('')
    setTyped({ ...typed, key: text.trim() })
    setNumber(typeOfKey(text) ?? number)
    setRecognised(typeOfKey(text) !== undefined)
  }
  return (
    <GuideContent
      title={say('provider')}
      note={types.length > 0 && say('providerCount', { count: types.length })}
      actions={
        <TextInput
          type="search"
          leftSection={<Icon name="search" size={14} />}
          className={classes.search}
          aria-label={sayProvider('search')}
          placeholder={sayProvider('search')}
          autoComplete="off"
          value={search}
          onChange={(event) => find(event.currentTarget.value)}
        />
      }
      footer={
        chosen && (
          <>
            {recognised && (
              <p role="status" className={classes.recognised}>
                {say('keyFrom', { provider: textIn(chosen.label, language) })}
              </p>
            )}
            <Fields
              key={chosen.type}
              type={chosen}
              typed={typed}
              onType={(change) => setTyped({ ...typed, ...change })}
            />
          </>
        )
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={retry} />
      ) : (
        <ProviderGallery
          types={types}
          value={number}
          search={search}
          onChoose={(type) => {
            setNumber(type.type)
            setRecognised(false)
          }}
        />
      )}
    </GuideContent>
  )
}
