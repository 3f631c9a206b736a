import { z } from 'zod'
import { flag, moment, object, real, text, texts } from '../source/cells.ts'
import { modelBoundColumns } from './bound-limits.ts'
import { type Bounds, boundColumns } from './budgets.ts'

export const organisationRow = z.object({
  organization_id: text,
  organization_alias: text,
  budget_id: text,
  models: texts,
  spend: real,
  created_at: moment,
})

export const teamRow = z.object({
  team_id: text,
  team_alias: text,
  organization_id: text,
  members_with_roles: text,
  members: texts,
  models: texts,
  access_group_ids: texts,
  spend: real,
  blocked: flag,
  model_id: text,
  router_settings: object,
  created_at: moment,
  ...boundColumns,
  ...modelBoundColumns,
})

export const projectRow = z.object({
  project_id: text,
  project_alias: text,
  team_id: text,
  budget_id: text,
  models: texts,
  spend: real,
  blocked: flag,
  model_rpm_limit: object,
  model_tpm_limit: object,
  created_at: moment,
})

export const organisationMember = z.object({
  user_id: text,
  organization_id: text,
  user_role: text,
  budget_id: text,
  spend: real,
})

export const teamMember = z.object({ user_id: text, team_id: text, budget_id: text, spend: real })

export type LitellmMember = z.output<typeof organisationMember>
export type SourceOrganisation = z.output<typeof organisationRow> & { readonly bounds: Bounds }
export type SourceTeam = z.output<typeof teamRow>
export type SourceProject = z.output<typeof projectRow> & { readonly bounds: Bounds }
