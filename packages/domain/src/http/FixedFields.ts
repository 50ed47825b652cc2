/** Annotation with the names of read-only fields. Sending one is reported as such, not as an unknown field. */
export const FIXED_FIELDS = "~@launch-registry/fixedFields"
