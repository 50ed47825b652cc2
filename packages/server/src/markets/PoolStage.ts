/** The stage of `dbc_pools p`. */
export const STAGE = `case when p.migrated_slot is not null then 'migrated' when p.completed_slot is not null then 'completed'
    else 'curve' end`
