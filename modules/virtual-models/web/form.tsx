import { Button, Checkbox, CheckboxGroup, MultiSelect, NativeSelect, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { channelChoices, failureClasses, virtualPrices } from '@tollgate/contract/channels/route-choices'
import { useState } from 'react'
import { type DrawerForm, FormDrawer } from '#web/components/form/form-drawer.tsx'
import { JsonField } from '#web/components/form/json-field.tsx'
import { call } from '#web/lib/api/api.ts'
import { calls, type VirtualModel } from '#web/lib/api/contract.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { newRoute, type RouteValues, routeRules, specOf, type VirtualSpec, valuesOf } from './fields.ts'
import { useRouteMessages } from './messages.ts'
import { RulePreview } from './preview.tsx'
import classes from './routes.module.css'
import { Rules } from './rules.tsx'
import { type RouteForm, Steps } from './steps.tsx'

const width = 760

const General = ({ form, groups }: { form: RouteForm; groups: readonly string[] }) => {
  const say = useRouteMessages()
  return (
    <>
      <TextInput
        label={say('name')}
        description={say('nameHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput label={say('description')} {...form.getInputProps('description')} />
      <div className={classes.pair}>
        <NativeSelect
          label={say('price')}
          data={virtualPrices.map((value) => ({ value, label: say(`price_${value}`) }))}
          {...form.getInputProps('price')}
        />
        <NativeSelect
          label={say('choice')}
          data={channelChoices.map((value) => ({ value, label: say(`choice_${value}`) }))}
          {...form.getInputProps('choice')}
        />
      </div>
      <Switch
        label={say('hedge')}
        description={say('hedgeHint')}
        {...form.getInputProps('hedge', { type: 'checkbox' })}
      />
      <MultiSelect
        label={say('groups')}
        description={say('groupsHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={[...groups]}
        {...form.getInputProps('groups')}
      />
      <CheckboxGroup label={say('fallsBackOn')} {...form.getInputProps('falls_back_on')}>
        <div className={classes.failures}>
          {failureClasses.map((failure) => (
            <Checkbox key={failure} value={failure} label={say(`failure_${failure}`)} />
          ))}
        </div>
      </CheckboxGroup>
    </>
  )
}

interface AsJsonProps {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly problem: string | undefined
}

const AsJson = ({ text, onChange, problem }: AsJsonProps) => {
  const say = useRouteMessages()
  return <JsonField label={say('json')} value={text} onChange={onChange} error={problem} maxRows={30} />
}

/** Makes a virtual model, or changes the one that is there. */
export const RouteSheet = ({ model, onClose }: { model: VirtualModel | undefined; onClose: () => void }) => {
  const say = useRouteMessages()
  const { data: groups = [] } = useEndpoint(calls.listGroups)
  const { data: models = [] } = useEndpoint(calls.listEnabledModels)
  const [initialValues] = useState<RouteValues>(() => (model === undefined ? newRoute() : valuesOf(model)))
  const form = useForm<RouteValues>({ initialValues, validate: routeRules(say) })
  const [json, setJson] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const values = form.getValues()

  /** The definition that is typed; undefined, with the reason shown, where it is none. */
  const readJson = (): VirtualSpec | undefined => {
    try {
      const spec = JSON.parse(json ?? '') as VirtualSpec
      // Fails for what is no definition at all; the server judges the rest.
      form.setValues(valuesOf(spec))
      setProblem(undefined)
      return spec
    } catch (error) {
      setProblem(say('badJson', { reason: error instanceof Error ? error.message : '' }))
      return undefined
    }
  }
  const toForm = (): void => {
    if (readJson() !== undefined) setJson(undefined)
  }
  const drawerForm: DrawerForm<VirtualSpec> = {
    isDirty: () => form.isDirty() || json !== undefined,
    onSubmit: (handle, onInvalid) =>
      json === undefined
        ? form.onSubmit((entered) => handle(specOf(entered)), onInvalid)
        : (event) => {
            event?.preventDefault()
            const spec = readJson()
            if (spec === undefined) onInvalid?.()
            else handle(spec)
          },
  }
  const save = useAction(
    (body: VirtualSpec) =>
      model === undefined
        ? call(calls.createVirtualModel, { body })
        : call(calls.updateVirtualModel, { params: { id: model.id }, body }),
    { done: ({ name }) => say('changed', { name }), refresh: [calls.listVirtualModels] },
  )
  return (
    <FormDrawer
      title={say(model === undefined ? 'createTitle' : 'editTitle')}
      subtitle={model === undefined ? undefined : model.name}
      form={drawerForm}
      submitLabel={say('save')}
      width={width}
      onClose={onClose}
      onSubmit={save.submit}
      footer={
        <Button
          variant="subtle"
          onClick={() => (json === undefined ? setJson(JSON.stringify(specOf(values), null, 2)) : toForm())}
        >
          {say(json === undefined ? 'asJson' : 'asForm')}
        </Button>
      }
    >
      {json === undefined ? (
        <>
          <General form={form} groups={groups} />
          <section className={classes.part} aria-label={say('steps')}>
            <h3>{say('steps')}</h3>
            <p className="faint">{say('stepsHint')}</p>
            <Steps form={form} path="steps" steps={values.steps} models={models} />
          </section>
          <Rules form={form} rules={values.rules} models={models} groups={groups} />
          {values.rules.length > 0 && <RulePreview spec={() => specOf(form.getValues())} />}
        </>
      ) : (
        <AsJson text={json} onChange={setJson} problem={problem} />
      )}
    </FormDrawer>
  )
}
