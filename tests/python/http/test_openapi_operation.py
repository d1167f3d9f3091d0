"""Operations: parameters, bodies and comments of functions."""

from openapi_documents import document_of


def test_parameters_bodies_and_responses():
    document = document_of("""
        exception Gone { 1: string why } (api.http_code = "410")
        exception A { 1: string why } exception B { 1: i32 n }
        struct In {
          1: required i64 id (api.path = "id"), 2: required string q (api.query = "q"),
          3: list<i32> l (api.query = "l"), 4: string h (api.header = "X-H", api.cookie = "c"),
          5: string b (api.body = "b"), 6: string plain, 7: string f (api.form = "f"),
          8: binary file (api.form = "file"), 9: string agent (api.header = "Accept") }
        struct Out {
          1: i32 code = 201 (api.http_code = ""), 2: string e (api.header = "ETag"), 3: string x
        }
        /** The service. */
        service S {
          Out go(1: In req) throws (1: Gone gone, 2: A a, 3: B b)
            (api.post = "/x/:id/*rest", api.any = "/any/:id"),
          void v() (api.get = "/x/:other/*more")
          oneway void o() (api.put = "/o")
        }
    """, title="T", version="2", servers=["https://a"], fields="fields")  # fmt: skip
    assert document["info"] == {"title": "T", "version": "2", "description": "The service."}
    assert document["servers"] == [{"url": "https://a"}]
    assert set(document["paths"]) == {"/x/{id}/{rest}", "/any/{id}", "/o"}
    assert set(document["paths"]["/x/{id}/{rest}"]) == {"post", "get"}
    assert set(document["paths"]["/any/{id}"]) == {"get", "put", "post", "delete", "patch"}
    post = document["paths"]["/x/{id}/{rest}"]["post"]
    parameters = {
        (choice["in"], choice["name"]): choice.get("required", False)
        for choice in post["parameters"]
    }
    assert parameters == {
        ("path", "id"): True,
        ("query", "q"): True,
        ("query", "l"): False,
        ("header", "X-H"): False,
        ("cookie", "c"): False,
        ("path", "rest"): True,
        ("query", "fields"): False,
    }
    schemas, content = document["components"]["schemas"], post["requestBody"]["content"]
    assert set(content) == {"application/json", "multipart/form-data"}
    assert set(schemas["S_go_body"]["properties"]) == {"b", "plain"}
    expected = "application/octet-stream"
    assert schemas["S_go_form"]["properties"]["file"]["contentMediaType"] == expected
    assert set(post["responses"]) == {"201", "410", "500", "400", "502", "504", "default"}
    assert "ETag" in post["responses"]["201"]["headers"]
    assert set(schemas["Out_answer"]["properties"]) == {"x"}
    assert [
        choice["$ref"][-9:]
        for choice in post["responses"]["500"]["content"]["application/problem+json"]["schema"][
            "anyOf"
        ]
    ] == ["A_problem", "B_problem"]
    assert "204" in document["paths"]["/x/{id}/{rest}"]["get"]["responses"]
    assert "202" in document["paths"]["/o"]["put"]["responses"]
    assert post["summary"] == "go" and "description" not in post
    ids = [
        operation["operationId"]
        for path in document["paths"].values()
        for operation in path.values()
    ]
    assert len(set(ids)) == len(ids)


def test_the_first_sentence_of_a_comment_is_the_summary():
    document = document_of("""service S {
        /** One. */ void a() (api.get = "/a")
        /** Takes what
          * is there. Gives nothing. */ void b() (api.get = "/b")
    }""")
    assert document["paths"]["/a"]["get"]["summary"] == "One"
    assert "description" not in document["paths"]["/a"]["get"]
    operation = document["paths"]["/b"]["get"]
    assert operation["summary"] == "Takes what is there"
    assert operation["description"] == "Takes what\nis there. Gives nothing."


def test_files_raw_bodies_and_cookies():
    document = document_of("""
        struct Up {
          1: string title (api.form = "title"),
          /** An image. */ 2: required binary file (api.form = "file"),
          3: string name (api.form = "file.filename"),
          4: string type (api.form = "file.content_type") }
        struct Raw {
          1: binary data (api.raw_body = ""), 2: string kind (api.header = "Content-Type")
        }
        struct In {
          1: string token (api.cookie = "tok"), 2: string id (api.cookie = "id"), 3: i32 n
        }
        service S {
          i32 up(1: Up up) (api.post = "/up"), Raw raw() (api.get = "/raw"),
          In in() (api.get = "/in")
          void log(1: string name (api.form = "name")) (api.post = "/log")
        }
    """, fields="fields")  # fmt: skip
    body, schemas = (
        document["paths"]["/up"]["post"]["requestBody"],
        document["components"]["schemas"],
    )
    assert body["required"] and list(body["content"]) == ["multipart/form-data"]
    file = {"type": "string", "format": "binary", "contentMediaType": "application/octet-stream"}
    expected = {"title": {"type": "string"}, "file": {**file, "description": "An image."}}
    assert schemas["S_up_form"]["properties"] == expected
    result = list(document["paths"]["/log"]["post"]["requestBody"]["content"])
    assert result == ["application/x-www-form-urlencoded"]
    raw = document["paths"]["/raw"]["get"]
    assert (
        raw["responses"]["200"]["content"]
        == {"application/octet-stream": {"schema": file}, "*/*": {"schema": {}}}
        and "parameters" not in raw
    )
    assert (
        document["paths"]["/in"]["get"]["responses"]["200"]["headers"]["Set-Cookie"]["description"]
        == "Cookies: tok, id."
    )
